import { readFile } from 'node:fs/promises';
import type { User } from '../contracts/access/index.ts';
import { parseTokenFile } from '../serving/token-file.ts';
import { Failure } from './failure.ts';
import type { NamedFile } from './saved-file.ts';

/** Reads the users of a file of tokens, by token. @throws Failure */
export async function tokensFrom({ file, name }: NamedFile): Promise<ReadonlyMap<string, User>> {
  try {
    return parseTokenFile(await readFile(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'the file does not exist' : message;
    throw new Failure(
      `read the tokens of ${name}`,
      why,
      'Write token,user,uid,"group1,group2" in each line.',
    );
  }
}
