/** What figures mean, in plain sentences, and how sure they are. */
import type { GameInfo } from '../lib/protocol'
import { knows, say } from '../lib/words.svelte'
import { playerName, endName, isShare, measureName, settingName, told, type Finding, type LabResult } from './lab'

/** What a reader asks first comes first. */
const ORDER = ['length', 'end', 'starter', 'seat', 'player', 'open', 'points', 'choice']
const rank = (measure: string): number => {
  const [family = '', what] = measure.split('.')
  return ORDER.indexOf(family) + (what === 'decisions' ? 0.5 : 0)
}

/** The game as it is: how long, who is favoured, how long the end stays open. */
export function asItIs(result: LabResult): string[] {
  const figure = (measure: string) => result.figures[0]![measure]!
  const reach = (measure: string) => ({
    mean: told(measure, figure(measure).mean),
    low: told(measure, figure(measure).low),
    high: told(measure, figure(measure).high),
  })
  const fair = 1 / result.experiment.settings[0]!.players.length
  const { low, high } = figure('starter.wins')
  const favoured = low > fair ? 'more' : high < fair ? 'less' : 'even'
  return [
    ...skill(result, reach),
    say('lab.says.length', { ...reach('length.minutes'), turns: told('length.turns', figure('length.turns').mean) }),
    say(`lab.says.starter.${favoured}`, { ...reach('starter.wins'), fair: told('starter.wins', fair) }),
    say('lab.says.open', { ...reach('open.until'), changes: told('open.lead changes', figure('open.lead changes').mean) }),
  ]
}

/** Of two who are unlike: how often the first wins, and what decides it. */
function skill(result: LabResult, reach: (measure: string) => Record<string, string>): string[] {
  const luck = result.luck[0]
  if (!luck) return []
  const [who, other] = result.experiment.settings[0]!.players.map(playerName)
  const parts = Object.fromEntries(Object.entries(luck).map(([name, share]) => [name, told('seat', share)]))
  return [say('lab.says.player', { who, other, ...reach('player.1') }), say('lab.says.luck', parts)]
}

/** Of which game, and by whom it was played: the answer depends on it. */
export function playedBy(result: LabResult): string {
  const { game, settings } = result.experiment
  const counts = new Map<string, number>()
  for (const one of settings[0]!.players) counts.set(one, (counts.get(one) ?? 0) + 1)
  const who = [...counts].map(([bot, count]) => `${count} × ${playerName(bot)}`)
  return say('lab.who', { game: say(`web.game.${game}`), who: who.join(', ') })
}

export interface Said {
  setting: string
  sentences: string[]
}
/** What is certain of each setting, the most asked for first; what was used is told in a table of its own. */
export function findings(game: GameInfo | undefined, result: LabResult): Said[] {
  return bySetting(result, (setting) => {
    const worded = result.findings.filter((one) => one.setting === setting && rank(one.measure) >= 0)
    return worded.sort((a, b) => rank(a.measure) - rank(b.measure)).map((one) => sentence(game, result, one))
  })
}
const bySetting = (result: LabResult, say: (setting: string, n: number) => string[]): Said[] =>
  result.experiment.settings
    .slice(1)
    .map(({ name }, n) => ({ setting: settingName(result.experiment.game, name), sentences: say(name, n) }))
    .filter((one) => one.sentences.length)

function sentence(game: GameInfo | undefined, result: LabResult, { measure, setting, mean, low, high }: Finding): string {
  const at = result.experiment.settings.findIndex((one) => one.name === setting)
  const base = result.figures[0]![measure]!.mean
  const end = /^end\.(?!unfinished|shared)(.*)/.exec(measure)?.[1]
  const family = end ? 'end' : measure
  const key = `lab.says.${family}.${mean > 0 ? 'more' : 'less'}`
  const params = {
    measure: measureName(game, measure),
    what: end ? endName(game, end) : '',
    now: told(measure, result.figures[at]![measure]!.mean),
    base: told(measure, base),
    share: base && !isShare(measure) ? told('seat', Math.abs(mean / base)) : '',
  }
  return say('lab.finding', {
    told: say(knows(key) ? key : 'lab.says.other', params),
    low: told(measure, low, true),
    high: told(measure, high, true),
  })
}

const ASKED = ['length.minutes', 'starter.wins']
/** What cannot be told yet of what everybody asks, and how much it may be at most. */
export function unsure(game: GameInfo | undefined, result: LabResult): Said[] {
  return bySetting(result, (setting, n) => {
    const open = ASKED.filter((measure) => !result.findings.some((one) => one.setting === setting && one.measure === measure))
    return open.map((measure) => {
      const { low, high } = result.differences[n]![measure]!
      const params = { measure: measureName(game, measure) }
      if (low === 0 && high === 0) return say('lab.says.same', params)
      const key = low > 0 || high < 0 ? 'lab.says.likely' : 'lab.says.unsure'
      return say(key, { ...params, low: told(measure, low, true), high: told(measure, high, true) })
    })
  })
}
