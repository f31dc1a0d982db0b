/** A component file of one's own: JSON or TOML. The server checks what is in it. Loaded when somebody brings one. */
import { parse, TomlError } from 'smol-toml'

/** What a file says, or the line that cannot be read. */
export function readComponents(text: string): { components: Record<string, unknown> } | { line: number } {
  try {
    const { provenance: _, ...components } = (text.trimStart().startsWith('{') ? JSON.parse(text) : parse(text)) as Record<string, unknown>
    return { components }
  } catch (problem) {
    return { line: problem instanceof TomlError ? problem.line : 1 }
  }
}
