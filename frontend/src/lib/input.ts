/** Whether the last thing done was done by keyboard: focus that moves by keys is meant, a mouse may only pass. */
let keys = false
addEventListener('keydown', () => (keys = true), { capture: true })
addEventListener('pointerdown', () => (keys = false), { capture: true })

export const byKeyboard = (): boolean => keys

/** Enter and Space do what a click does. */
export function press(key: KeyboardEvent, act: () => void): void {
  if (key.key !== 'Enter' && key.key !== ' ') return
  key.preventDefault()
  act()
}
