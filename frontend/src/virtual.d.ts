declare module 'virtual:words' {
  /** What a key says: a text, or one for each of its forms. */
  export type Wording = string | Record<string, string>
  const catalogues: Record<string, () => Promise<{ default: Record<string, Wording> }>>
  export default catalogues
  /** The words of lessons, fetched when somebody learns. */
  export const lessons: typeof catalogues
  /** The words of explanations and coach, fetched when somebody asks. */
  export const teaching: typeof catalogues
  /** The words of the laboratory. */
  export const lab: typeof catalogues
  /** The words of reviews, fetched when somebody asks what decided a game. */
  export const reviews: typeof catalogues
  /** The words of puzzles, fetched when somebody wants one. */
  export const puzzles: typeof catalogues
}

/** The few words of the page that is shown without a connection, by language. */
declare module 'virtual:offline-words' {
  const words: Record<string, Record<string, string>>
  export default words
}
