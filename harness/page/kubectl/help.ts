import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { tabbed } from './tab-writer.ts';

/** Returns the list of commands. @param words only commands that begin with the first word; all without a word */
export function overview([word]: readonly string[]): string {
  const shown = commands.filter(
    ({ name }) => word === undefined || word.startsWith('-') || name.startsWith(`${word} `),
  );
  const list = (shown.length > 0 ? shown : commands).map(({ name, summary }) => `  ${name}\t${summary}\n`);
  return [
    'kubectl for this cluster. The word "kubectl" may be left out.\n\n',
    tabbed(list.join('')),
    '\nUse "kubectl COMMAND --help" for the flags of a command, --as USER to act as another user, and | grep, | head, | wc after it.\n',
  ].join('');
}

/** Returns the help of a command. */
export function helpOf({ name, usage, summary, flags }: Command): string {
  const lines = Object.entries(flags).map(
    ([flag, { short, help }]) => `  ${short ? `-${short}, ` : '    '}--${flag}\t${help}\n`,
  );
  return [
    `${summary}.\n\nUsage:\n  ${name === 'curl' ? '' : 'kubectl '}${name} ${usage}\n`,
    lines.length > 0 ? `\nFlags:\n${tabbed(lines.join(''))}` : '',
  ].join('');
}
