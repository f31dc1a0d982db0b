/** A hue for each kind of part; its sign says the same without colour. */
import type { Kind } from './view'

export const HUES: Record<Kind, number> = {
  sun: 90,
  moon: 255,
  star: 325,
  oak: 140,
  stag: 60,
  raven: 290,
  wave: 215,
  flame: 30,
  centre: 175,
}
