/** What a reader has set, kept in this browser. */

export interface Settings {
  /** null: as the system has it */
  theme: 'day' | 'night' | null
  /** null: as the browser has it */
  language: string | null
  /** how fast events are shown; 0 shows only their outcome */
  speed: 0 | 0.5 | 1 | 2
  /** whether a move is foreseen on the board before it is played */
  preview: boolean
  /** whether the first tap only shows a move and the second plays it */
  confirm: boolean
  /** whether the page stops where nothing else was possible, and says why */
  explain: boolean
  /** whether the coach says what matters, and what came of a decision */
  coach: boolean
  /** how one is called at tables */
  name: string
  /** whether places of a map are named by coordinates, and those printed on it */
  coordinates: boolean
  /** whether nothing that others say at a table is shown */
  mute: boolean
  /** whether a soft sound tells that it is one's turn */
  sound: boolean
  /** how often a first tap has chosen a move: the first times it is said that the second plays it */
  taps: number
}

const KEY = 'drunemeton.settings'
const defaults: Settings = {
  theme: null,
  language: null,
  speed: 1,
  preview: true,
  confirm: true,
  explain: true,
  coach: true,
  name: '',
  mute: false,
  sound: false,
  coordinates: false,
  taps: 0,
}

function read(): Settings {
  try {
    return { ...defaults, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') }
  } catch {
    return { ...defaults }
  }
}

export const settings = $state<Settings>(read())

const dark = matchMedia('(prefers-color-scheme: dark)')
const still = matchMedia('(prefers-reduced-motion: reduce)')
const system = $state({ dark: dark.matches, still: still.matches })
dark.addEventListener('change', () => {
  system.dark = dark.matches
  showTheme()
})
still.addEventListener('change', () => (system.still = still.matches))

export const isNight = (): boolean => (settings.theme ? settings.theme === 'night' : system.dark)
/** Whether things may move: not under reduced motion, and not at speed 0. */
export const moves = (): boolean => !system.still && settings.speed > 0

export function showTheme(): void {
  document.documentElement.dataset.theme = isNight() ? 'night' : 'day'
}

export function change(changes: Partial<Settings>): void {
  Object.assign(settings, changes)
  try {
    localStorage.setItem(KEY, JSON.stringify(settings))
  } catch {
    // A browser without storage keeps the setting for this page.
  }
  showTheme()
}
