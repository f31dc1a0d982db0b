/**
 * As much Markdown as the rules pages use, made into HTML. The texts are our own; everything is escaped all the same. Our own because
 * numbers of rules, figures and links have to become something else there, and a library would be ten times as much to load.
 */

const escape = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')

export interface Places {
  /** A picture's file name becomes what to show for it. */
  figure(name: string, alt: string): string
  /** A link's address, as the page should have it; null leaves plain text. */
  link(address: string): string | null
  /** The prefix of rule numbers, `DW`. */
  prefix: string
}

export function inline(text: string, places: Places): string {
  const kept: string[] = []
  // Private characters, which no text of ours has, stand for what is made already.
  const keep = (html: string) => `\ue000${kept.push(html) - 1}\ue001`
  let html = escape(text)
    .replace(/`([^`]+)`/g, (_, code: string) => keep(`<code>${code}</code>`))
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, label: string, address: string) => {
      const target = places.link(address)
      return target === null ? label : keep(`<a href="${escape(target)}">${label}</a>`)
    })
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/(^|[^\w*])\*([^*\s][^*]*?)\*(?!\w)/g, '$1<em>$2</em>')
  const rule = new RegExp(`(^|[^\\w-])(${places.prefix}-\\d+\\.\\d+)`, 'g')
  html = html.replace(rule, (_, before: string, number: string) => `${before}<a href="#${number}">${number}</a>`)
  return html.replace(/\ue000(\d+)\ue001/g, (_, index: string) => kept[Number(index)] ?? '')
}

export function markdown(text: string, places: Places): string {
  return text
    .split(/\n{2,}/)
    .map((block) => blockHtml(block.replace(/\s+$/, ''), places))
    .join('\n')
}

function blockHtml(block: string, places: Places): string {
  if (!block.trim()) return ''
  const heading = /^(#{1,4}) (.+)$/.exec(block.trim())
  if (heading) {
    const level = heading[1]!.length
    return `<h${level}>${inline(heading[2]!, places)}</h${level}>`
  }
  if (block.split('\n').every((line) => /^ {4}/.test(line))) {
    return `<pre tabindex="0">${escape(block.replace(/^ {4}/gm, ''))}</pre>`
  }
  const picture = /^!\[([^\]]*)\]\(([^)]+)\)$/.exec(block.trim().replace(/\n/g, ' '))
  if (picture) return places.figure(picture[2]!.split('/').at(-1)!, escape(picture[1]!))
  if (block.startsWith('|')) return tableHtml(block, places)
  if (/^([-*]|\d+\.) /.test(block)) return listHtml(block, places)
  const numbered = new RegExp(`^\\*\\*(${places.prefix}-\\d+\\.\\d+)\\*\\* ?`).exec(block)
  if (numbered) {
    const rest = inline(block.slice(numbered[0].length), places)
    return `<p class="rule" id="${numbered[1]}"><a class="number" href="#${numbered[1]}">${numbered[1]}</a> ${rest}</p>`
  }
  return `<p>${inline(block, places)}</p>`
}

function listHtml(block: string, places: Places): string {
  const tag = /^\d/.test(block) ? 'ol' : 'ul'
  const items = block.split(/\n(?=(?:[-*]|\d+\.) )/).map((item) => item.replace(/^([-*]|\d+\.) /, '').replace(/\n\s*/g, ' '))
  return `<${tag}>${items.map((item) => `<li>${inline(item, places)}</li>`).join('')}</${tag}>`
}

function tableHtml(block: string, places: Places): string {
  const rows = block
    .split('\n')
    .filter((row) => !/^\|[\s|:-]+$/.test(row))
    .map((row) => row.replace(/^\||\|$/g, '').split('|'))
  const [head = [], ...body] = rows
  const cells = (row: string[], tag: string) => row.map((cell) => `<${tag}>${inline(cell.trim(), places)}</${tag}>`).join('')
  const lines = body.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')
  const table = `<table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${lines}</tbody></table>`
  return `<div class="wide" tabindex="0">${table}</div>`
}
