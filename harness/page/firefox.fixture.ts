import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WebSocket } from 'ws';

const EXECUTABLE = '/usr/bin/firefox-esr';

/** Whether Debian's Firefox is on this machine. */
export const hasFirefox: boolean = existsSync(EXECUTABLE);

/** An answer of the browser, or an event. */
interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: string;
  readonly message?: string;
}

/**
 * Debian's Firefox with one tab. Playwright drives only a Firefox of its own, so this speaks WebDriver BiDi.
 *
 * Source: https://www.w3.org/TR/webdriver-bidi/
 */
export class Firefox implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #sent = 0;

  private constructor(process: ChildProcess, profile: string, socket: WebSocket) {
    this.#process = process;
    this.#profile = profile;
    this.#socket = socket;
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Message;
      if (message.id !== undefined) this.#waiting.get(message.id)?.(message);
    });
  }

  /** @throws Error when Firefox ends before it listens */
  static async start(): Promise<Firefox> {
    const profile = await mkdtemp(path.join(tmpdir(), 'firefox-'));
    const words = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
    const process = spawn(EXECUTABLE, words, { stdio: ['ignore', 'ignore', 'pipe'] });
    const socket = new WebSocket(`${await listening(process)}/session`);
    await once(socket, 'open');
    const firefox = new Firefox(process, profile, socket);
    await firefox.#call('session.new', { capabilities: {} });
    return firefox;
  }

  /**
   * Opens a page, and returns the value of an expression there. A promise is awaited.
   *
   * @throws Error with the message of the browser
   */
  async evaluate(url: string, expression: string): Promise<string> {
    const { contexts } = (await this.#call('browsingContext.getTree', {})) as {
      readonly contexts: readonly { readonly context: string }[];
    };
    const context = contexts[0]?.context;
    await this.#call('browsingContext.navigate', { context, url, wait: 'interactive' });
    const target = { context };
    const evaluated = (await this.#call('script.evaluate', { expression, target, awaitPromise: true })) as {
      readonly result?: { readonly value: string };
      readonly exceptionDetails?: { readonly text: string };
    };
    if (!evaluated.result) throw new Error(evaluated.exceptionDetails?.text);
    return evaluated.result.value;
  }

  async #call(method: string, params: object): Promise<unknown> {
    const id = ++this.#sent;
    const answer = new Promise<Message>((resolve) => {
      this.#waiting.set(id, resolve);
    });
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { result, error, message } = await answer;
    if (error !== undefined) throw new Error(`Failed to call ${method}: ${error}: ${message}`);
    return result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.terminate();
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
    await rm(this.#profile, { recursive: true, force: true });
  }
}

/** Resolves to the address of a Firefox that has started. */
function listening({ stderr }: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    stderr?.on('data', (chunk) => {
      output += chunk;
      const [, address] = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(output) ?? [];
      if (address !== undefined) resolve(address);
    });
    stderr?.once('end', () => reject(new Error(`Failed to start Firefox: ${output}`)));
  });
}
