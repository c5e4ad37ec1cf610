import { styleText } from 'node:util';

/** How a line is set off from the rest. */
type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Styles a text, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string;

/** For files, pipes and tests. */
export const plain: Paint = (_, text) => text;

/**
 * Colours for a terminal that a person looks at, unless they asked for none: https://no-color.org.
 */
export function paintFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Paint {
  if (!stream.isTTY || env.NO_COLOR || env.TERM === 'dumb') return plain;
  // Whether the stream shows colours is decided above: it need not be the one that styleText would ask.
  return (style, text) => styleText(style, text, { validateStream: false });
}
