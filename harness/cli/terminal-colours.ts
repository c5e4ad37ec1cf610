import { styleText } from 'node:util';
import { type Paint, plain } from './colours.ts';

/** Returns colours for a terminal, unless the user has turned them off: https://no-color.org. */
export function paintFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Paint {
  if (!stream.isTTY || env.NO_COLOR || env.TERM === 'dumb') return plain;
  // The condition above has decided already. `styleText` would check stdout, which may be another stream.
  return (style, text) => styleText(style, text, { validateStream: false });
}
