import type { Process, Program } from './program.ts';

/** `test -d /tmp`, `[ -d /tmp ]`: evaluates a condition about files, texts or numbers. */
export const test: Program = async ({ argv, files, stderr }) => {
  const [name = '', ...words] = argv;
  if (name.endsWith('[') && words.pop() !== ']') {
    stderr(`${name}: missing ]\n`);
    return 2;
  }
  return (await holds(files, words)) ? 0 : 1;
};

async function holds(files: Process['files'], words: readonly string[]): Promise<boolean> {
  if (words[0] === '!') return !(await holds(files, words.slice(1)));
  const [a = '', operator = '', b = ''] = words;
  switch (words.length) {
    case 1:
      return a !== '';
    case 2: {
      if (a === '-z') return operator === '';
      if (a === '-n') return operator !== '';
      const type = await files.stat(operator).then(
        (found) => found?.type,
        () => undefined,
      );
      return a === '-d' ? type === 'directory' : a === '-f' ? type === 'file' : type !== undefined;
    }
    case 3:
      return compare(a, operator, b);
    default:
      return false;
  }
}

function compare(a: string, operator: string, b: string): boolean {
  switch (operator) {
    case '=':
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    case '-eq':
      return Number(a) === Number(b);
    case '-ne':
      return Number(a) !== Number(b);
    case '-lt':
      return Number(a) < Number(b);
    case '-le':
      return Number(a) <= Number(b);
    case '-gt':
      return Number(a) > Number(b);
    case '-ge':
      return Number(a) >= Number(b);
    default:
      return false;
  }
}
