/** Why a druid cannot be led: he is at the goal, where the view knows no stop for him, or no card is of his colour. */
import type { Reason } from '../../lib/protocol'
import type { Colour, Player } from './view'

export function druidRests(own: Player | undefined, colour: Colour): Reason {
  const held = [...(own?.hand ?? []), ...(own?.experience ?? [])].includes(colour)
  const params = { colour }
  return held ? { code: 'web.ce.druid_at_goal', rule: 'CE-3.4', params } : { code: 'web.ce.no_card_of', rule: 'CE-3.1', params }
}
