import { KubectlError } from './kubectl-error.ts';

/**
 * Splits a line into the commands of a pipe, and each command into words, as a shell does. Single and double quotes and
 * backslashes work; a `#` before a word begins a comment.
 *
 * @throws KubectlError for an open quote, and for parts of a shell that the prompt does not take
 */
export function commandsOf(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  let word: string | undefined;
  let quote = '';
  const endWord = (): void => {
    if (word !== undefined) commands.at(-1)?.push(word);
    word = undefined;
  };
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (quote !== '') {
      if (character === quote) quote = '';
      else if (character === '\\' && quote === '"' && '"\\$`'.includes(line.charAt(at + 1))) {
        word += line.charAt(++at);
      } else word += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= '';
    } else if (character === '\\') {
      word = (word ?? '') + line.charAt(++at);
    } else if (/\s/.test(character)) {
      endWord();
    } else if (character === '#' && word === undefined) {
      break;
    } else if (character === '|' && line.charAt(at + 1) !== '|') {
      endWord();
      commands.push([]);
    } else if ('|&;<>'.includes(character)) {
      throw new KubectlError(
        `the prompt is no shell and does not take "${character}": it takes one command, and "| grep", "| head" and "| wc" after it`,
      );
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== '') throw new KubectlError(`the quote ${quote} is not closed`);
  endWord();
  return commands;
}
