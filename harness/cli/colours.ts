import { styleText } from 'node:util';

/** Colour or weight of a text. */
type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Styles a text, or returns it unchanged. */
export type Paint = (style: Style, text: string) => string;

/** No colours: for files, pipes and tests. */
export const plain: Paint = (_, text) => text;

/** Returns colours for a terminal, unless the user has turned them off: https://no-color.org. */
export function paintFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Paint {
  if (!stream.isTTY || env.NO_COLOR || env.TERM === 'dumb') return plain;
  // The condition above has decided already. `styleText` would check stdout, which may be another stream.
  return (style, text) => styleText(style, text, { validateStream: false });
}
