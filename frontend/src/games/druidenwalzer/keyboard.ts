/** Enter and Space do what a click does. */
export function press(key: KeyboardEvent, act: () => void): void {
  if (key.key !== 'Enter' && key.key !== ' ') return
  key.preventDefault()
  act()
}

/** Whether the focus came by keyboard: only then what has it is pointed at. */
export const byKeyboard = (focus: FocusEvent): boolean => (focus.currentTarget as Element).matches(':focus-visible')
