/** How a table is laid out in this window. The media queries of the styles are the same words; `side` is written there alone. */

/** The hand lies on a sheet, log and moves in drawers: on phones, on tablets held upright, and wherever the window is low. */
const SHEET = '(max-width: 760px), (max-width: 1100px) and (orientation: portrait), (max-height: 500px)'
const UPRIGHT = '(orientation: portrait)'

const print = matchMedia('print')

class Screen {
  sheet = $state(false)
  upright = $state(false)

  constructor() {
    this.#follow(SHEET, (holds) => (this.sheet = holds))
    this.#follow(UPRIGHT, (holds) => (this.upright = holds))
  }

  #follow(words: string, take: (holds: boolean) => void): void {
    const query = matchMedia(words)
    take(query.matches)
    // Paper has another shape, and boards that are printed stay as they are drawn.
    query.addEventListener('change', () => print.matches || take(query.matches))
  }
}

export const screen = new Screen()
