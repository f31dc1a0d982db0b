import { describe, expect, it } from 'vitest'
import { inline, markdown } from '../src/lib/markdown'

const places = {
  figure: (name: string, alt: string) => `<figure>${name}|${alt}</figure>`,
  link: (address: string) => (address.startsWith('http') ? null : `/rules/${address}`),
  prefix: 'DW',
}

describe('markdown', () => {
  it('escapes what is no mark', () => {
    expect(inline('<script>"1 & 2"</script>', places)).toBe('&lt;script&gt;&quot;1 &amp; 2&quot;&lt;/script&gt;')
  })
  it('knows emphasis, code and links', () => {
    expect(inline('**bold** and *soft* `a*b*c`', places)).toBe('<strong>bold</strong> and <em>soft</em> <code>a*b*c</code>')
    expect(inline('[here](celtica.md) [there](http://x.test)', places)).toBe('<a href="/rules/celtica.md">here</a> there')
  })
  it('leads from a rule to its number, but not within code', () => {
    expect(inline('see DW-4.3', places)).toBe('see <a href="#DW-4.3">DW-4.3</a>')
    expect(inline('`DW-4.3`', places)).toBe('<code>DW-4.3</code>')
  })
  it('makes paragraphs, lists and tables', () => {
    const html = markdown('# Title\n\nText\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n', places)
    for (const part of ['<h1', '<p>Text</p>', '<li>one</li>', '<th', '<td>1</td>']) expect(html).toContain(part)
  })
})
