/** It is somebody's turn who may be looking elsewhere: the title says so, and a soft sound if that is wanted. */
import { settings } from './settings.svelte'

const waiting = $state({ here: false, tables: 0 })

/** What the title begins with: a sign for our turn here, or at how many tables we are waited for. */
export const turnSign = (): string => (waiting.here ? '● ' : waiting.tables > 0 ? `(${waiting.tables}) ` : '')

/** Whether we are waited for at the table that is open. */
export function waitedFor(here: boolean): void {
  waiting.here = here
}

export function waitedForAt(tables: number): void {
  waiting.tables = tables
}

let player: AudioContext | null = null

/** Two soft notes, a fourth apart, as of a small bell in the wood. */
export function chime(): void {
  // Before the first click or key a browser makes no sound, and complains if it is asked to.
  if (navigator.userActivation?.hasBeenActive === false) return
  try {
    player ??= new AudioContext()
    void player.resume()
    const start = player.currentTime + 0.02
    for (const [after, pitch] of [
      [0, 587.33],
      [0.16, 783.99],
    ] as const) {
      const volume = player.createGain()
      volume.gain.setValueAtTime(0, start + after)
      volume.gain.linearRampToValueAtTime(0.09, start + after + 0.015)
      volume.gain.exponentialRampToValueAtTime(0.0001, start + after + 1.1)
      volume.connect(player.destination)
      for (const [overtone, share] of [
        [1, 1],
        [2.76, 0.16],
      ] as const) {
        const tone = player.createOscillator()
        const part = player.createGain()
        part.gain.value = share
        tone.frequency.value = pitch * overtone
        tone.connect(part).connect(volume)
        tone.start(start + after)
        tone.stop(start + after + 1.2)
      }
    }
  } catch {
    // A browser that cannot make sounds stays silent.
  }
}

export function ring(): void {
  if (settings.sound) chime()
}
