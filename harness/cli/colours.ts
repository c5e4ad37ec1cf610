/** Colour or weight of a text. */
type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Styles a text, or returns it unchanged. */
export type Paint = (style: Style, text: string) => string;

/** No colours: for files, pipes and tests. */
export const plain: Paint = (_, text) => text;
