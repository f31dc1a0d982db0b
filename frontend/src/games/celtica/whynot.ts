/** Why a druid cannot be led: no move says that, so the server cannot be asked, and the view tells it beforehand. */
import type { Reason } from '../../lib/protocol'
import type { CeView, Colour } from './view'

export function druidRests(view: CeView, colour: Colour): Reason {
  const rest = view.rests[colour]
  return { code: rest ? `web.ce.${rest.why}` : 'unknown', rule: rest?.rule ?? null, params: { colour } }
}
