import { spawn } from 'node:child_process';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Plugin } from 'vite';
import { failedLawNames } from '../../workbook/failed-laws.ts';
import type { ReplayAnswer } from '../../workbook/replay.ts';
import { FAILURE_URL, type FailureAnswer } from '../protocol/failure.ts';

/** Code that never ends must not block the page for longer. The command also limits each run. */
const WAIT_MS_MAX = 180_000;

/**
 * Serves replays of failed laws to the page: `GET /__failure/23[?law=…]`. Each request starts a process for the
 * learner's code, and ends it.
 *
 * @param root the workbook's folder
 */
export function failures(root: string): Plugin {
  return {
    name: 'failures',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use(FAILURE_URL, async (request, response) => {
        const gone = new AbortController();
        response.once('close', () => gone.abort());
        const answer = await failureOf(root, request, gone.signal);
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(answer));
      });
    },
  };
}

async function failureOf(
  root: string,
  { url = '' }: IncomingMessage,
  signal: AbortSignal,
): Promise<FailureAnswer> {
  const { pathname, searchParams } = new URL(url, 'http://page');
  const kata = decodeURIComponent(pathname.slice(1));
  const law = searchParams.get('law');
  const answer = await replayedApart(root, [kata, ...(law === null ? [] : [law])], signal);
  return { ...answer, ...failedLawNames(root, kata) };
}

/** Runs the command that makes a replay. */
async function replayedApart(
  root: string,
  words: readonly string[],
  signal: AbortSignal,
): Promise<ReplayAnswer> {
  const command = path.join(import.meta.dirname, '../../vitest/replay-command.ts');
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '-C', 'solution', '--no-force-async-hooks-checks', command, ...words],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      timeout: WAIT_MS_MAX,
      killSignal: 'SIGKILL',
      signal,
    },
  );
  child.once('error', () => {});
  const [answer, errors] = await Promise.all([
    text(child.stdio[3] as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
  ]);
  try {
    return JSON.parse(answer) as ReplayAnswer;
  } catch {
    return { problem: problemIn(errors) };
  }
}

/** Returns a sentence about a command that gave no answer. */
function problemIn(errors: string): string {
  const [, message] = /^(\w*Error: .*)$/m.exec(errors) ?? [];
  return message === undefined
    ? 'The process that ran your code ended without an answer: the code may never end, or end the process.'
    : `Your code could not be loaded. ${message}`;
}
