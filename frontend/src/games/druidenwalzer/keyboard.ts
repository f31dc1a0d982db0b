/** Whether the focus came by keyboard: only then what has it is pointed at. */
export const byKeyboard = (focus: FocusEvent): boolean => (focus.currentTarget as Element).matches(':focus-visible')
