/** A command as it was typed or pasted. */
export interface Typed {
  /** The line, without its end-of-line backslashes and its here-document. */
  readonly line: string;
  /** The text for `-f -`, from a here-document. */
  readonly manifest?: string;
}

/** A manifest by itself is applied. */
const APPLY = 'kubectl apply -f -';

/**
 * Returns the commands in a text, which may have several lines: a manifest, or commands with here-documents and
 * backslashes, as documentation prints them. A `$` before a command is dropped, and so are comments.
 */
export function commandsIn(text: string): readonly Typed[] {
  if (/^\s*(#.*\n\s*|---\s*\n\s*)*(apiVersion|kind):/.test(text) || /^\s*\{\s*"/.test(text)) {
    return [{ line: APPLY, manifest: withEnd(text) }];
  }
  const lines = text
    .replace(/\r/g, '')
    .replace(/\\\n\s*/g, ' ')
    .split('\n');
  const commands: Typed[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').trim().replace(/^\$\s+/, '');
    if (line === '' || line.startsWith('#')) continue;
    const [, command, dash, end] = /^(.*?)\s*<<(-?)\s*['"]?(\w+)['"]?\s*$/.exec(line) ?? [];
    if (command === undefined || end === undefined) {
      commands.push({ line });
      continue;
    }
    const body: string[] = [];
    while (++at < lines.length && (lines[at] ?? '').trim() !== end) {
      const one = lines[at] ?? '';
      body.push(dash ? one.replace(/^\t+/, '') : one);
    }
    // `cat <<EOF | kubectl apply -f -` has the reader before or after the here-document.
    commands.push({ line: command, manifest: withEnd(body.join('\n')) });
  }
  return commands;
}

function withEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
