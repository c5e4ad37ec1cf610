import type { Action } from '../../protocol/recipe.ts';
import type { Frame, RunService } from '../../protocol/run-service.ts';
import { withoutKubectl } from '../../share/say-action.ts';
import { type Act, sayAct } from './act.ts';
import { commonPrefix } from './common-prefix.ts';
import { begunFile, readsInput, withFiles } from './manifest-files.ts';
import { PromptHistory } from './prompt-history.ts';
import { samples } from './samples.ts';
import { actTexts } from './texts.ts';
import { type Entry, Transcript } from './transcript.ts';
import { commandsIn, type Typed } from './typed-input.ts';
import { waitsForTime } from './waits-for-time.ts';

/** The part of the service that acts. */
export type ActService = Pick<RunService, 'act' | 'read' | 'onlyReads' | 'complete' | 'play'>;

/** The news of the run that concern the prompt. */
type SessionNews = Pick<Frame, 'nowMs' | 'state' | 'output' | 'actions' | 'reset'>;

/** The present state of the prompt. */
export interface PromptState {
  readonly entries: readonly Entry[];
  /** The command whose end the prompt waits for; undefined if it takes a new one. */
  readonly running?: Entry;
  /** Whether the running command needs time, and the clock stands. */
  readonly needsTime: boolean;
  /** The latest command or request of a menu, until the reader dismisses it. The prompt may be closed. */
  readonly latest?: Entry;
  /** The lines of a manifest that is being typed for a command; undefined if none is. */
  readonly manifest?: { readonly command: string; readonly lines: readonly string[] };
}

/** A completed line, and the words to choose from if there are several. */
export interface Completion {
  readonly line: string;
  readonly words: readonly string[];
}

/** The text of the editor as a file. */
const EDITOR_FILE = 'editor.yaml';

/** The words that the page itself takes. */
const OWN_COMMANDS = ['clear', 'help'];

/**
 * The acts of the user, for the prompt, the menus and the editor alike. It outlives their panels.
 *
 * A command that only reads uses no connection of the run, and adds no action to its recipe.
 */
export class ActSession {
  readonly history: PromptHistory;
  readonly #service: ActService;
  readonly #transcript = new Transcript();
  readonly #listeners = new Set<() => void>();
  /** The texts that commands read as files. */
  readonly #files = new Map([
    ...samples.map(({ file, text }) => [file, text] as const),
    [EDITOR_FILE, samples[0]?.text ?? ''],
  ]);
  #foreground: number | undefined;
  #latest: number | undefined;
  #isPaused = true;
  #nowMs = 0;
  /** Whether an action is on its way: a paused run advances for it. */
  #isActing = false;
  #manifest: PromptState['manifest'];
  #state: PromptState | undefined;

  constructor(service: ActService, history: readonly string[] = []) {
    this.#service = service;
    this.history = new PromptHistory(history);
  }

  /** Calls a listener after each change. @returns a function that ends it */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The same value until something changes. */
  get state(): PromptState {
    this.#state ??= this.#newState();
    return this.#state;
  }

  /** Takes the news of the run. */
  take({ nowMs, state, output, actions, reset }: SessionNews): void {
    this.#nowMs = nowMs;
    const isPaused = state !== 'playing';
    if (!reset && !actions && output.length === 0 && isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    if (actions) this.#transcript.setActions(actions);
    if (reset) {
      this.#transcript.restart();
      this.#foreground = undefined;
      this.#latest = undefined;
    }
    this.#transcript.take(output);
    this.#changed();
  }

  /** The text of the editor. Commands may name it as the file `editor.yaml`. */
  get draft(): string {
    return this.#files.get(EDITOR_FILE) ?? '';
  }

  set draft(text: string) {
    this.#files.set(EDITOR_FILE, text);
  }

  /**
   * Takes a text of the prompt: a command, a line for the program that runs, a line of a manifest, or a paste with all
   * of them.
   */
  async submit(text: string): Promise<void> {
    if (this.#manifest) return this.#addToManifest(text);
    const { running } = this.state;
    if (running) return running.isInteractive ? this.#type(text) : undefined;
    for (const typed of commandsIn(text)) {
      this.history.add(typed.line);
      await this.#run(typed);
      if (this.#manifest) return;
    }
  }

  /** Runs a command that reads this manifest as its input. */
  async runWith(line: string, manifest: string): Promise<void> {
    this.history.add(line);
    await this.#run({ line, manifest });
  }

  /** Ends the input of the program that runs, or of the manifest (Ctrl-D). */
  async endInput(): Promise<void> {
    const manifest = this.#manifest;
    if (manifest) {
      this.#manifest = undefined;
      return this.#run({ line: manifest.command, manifest: `${manifest.lines.join('\n')}\n` });
    }
    const { running } = this.state;
    if (running?.isInteractive && running.action !== undefined) {
      await this.#act({ do: 'type', into: running.action }).catch((error) => this.#fail(running.id, error));
    }
  }

  /** Interrupts the command that runs, or the manifest (Ctrl-C). */
  async interrupt(): Promise<void> {
    const { running } = this.state;
    if (this.#manifest) {
      this.#manifest = undefined;
      return this.#changed();
    }
    if (!running) return;
    this.#transcript.write(running.id, { text: '^C\n', isError: false });
    this.#changed();
    if (running.action !== undefined) {
      await this.#act({ do: 'interrupt', command: running.action }).catch((error) =>
        this.#fail(running.id, error),
      );
    } else this.#end(running.id, 130);
  }

  /**
   * Does what an item of a menu does.
   *
   * @returns why it failed; undefined if it did not. The failure of a command is output
   */
  async perform(act: Act): Promise<string | undefined> {
    if ('line' in act) {
      await this.#command({ line: act.line }, act.line, !act.opensPrompt);
      return undefined;
    }
    const id = this.#transcript.begin({ kind: 'action', text: sayAct(act) });
    this.#latest = act.action.do === 'request' ? id : undefined;
    this.#changed();
    try {
      await this.#act(act.action, id);
      // A request has an answer, which ends its entry.
      if (act.action.do !== 'request') this.#transcript.end(id);
      this.#changed();
      return undefined;
    } catch (error) {
      this.#fail(id, error);
      return messageOf(error);
    }
  }

  /** Forgets the latest command or request of a menu. @returns whether one was in sight */
  dismiss(): boolean {
    const { latest } = this.state;
    this.#latest = undefined;
    this.#changed();
    return latest !== undefined;
  }

  /** Applies the text of the editor. @returns the id of the entry, once the command has begun */
  async apply(): Promise<number> {
    return this.#command(
      { line: 'kubectl apply -f -', manifest: this.draft },
      `kubectl apply -f ${EDITOR_FILE}`,
    );
  }

  /** Completes the last word of a line. */
  async complete(line: string): Promise<Completion> {
    const begun = begunFile(line);
    const isFirst = !/\s/.test(line.trimStart());
    const found = begun === undefined ? await this.#service.complete(line) : [...this.#files.keys(), '-'];
    const last = begun ?? /\S*$/.exec(line)?.[0] ?? '';
    const own = isFirst && begun === undefined ? OWN_COMMANDS : [];
    const words = [...new Set([...found, ...own])].filter((word) => word.startsWith(last));
    const [only] = words;
    const end = words.length === 1 && only !== undefined ? endOf(only) : commonPrefix(words);
    const longer = end.length > last.length ? end : last;
    return { line: line.slice(0, line.length - last.length) + longer, words: words.length > 1 ? words : [] };
  }

  clear(): void {
    this.#transcript.clear();
    this.#changed();
  }

  /** Lets time pass for the command that waits for it. */
  play(): void {
    void this.#service.play(1);
  }

  async #run({ line, manifest }: Typed): Promise<void> {
    const command = withoutKubectl(line);
    if (command === 'clear') return this.clear();
    if (line.trim() === 'help') return this.#print(line, actTexts.prompt.help);
    if (manifest === undefined && readsInput(line)) {
      this.#manifest = { command: line, lines: [] };
      return this.#changed();
    }
    const whole = withFiles(line, this.#files);
    if (whole.missing !== undefined) {
      return this.#print(line, actTexts.prompt.unknownFile(whole.missing, [...this.#files.keys()]), 1);
    }
    await this.#command({ ...whole, ...(manifest !== undefined && { manifest }) }, line);
  }

  /** Runs a command whose files are texts. @returns the id of its entry */
  async #command({ line, manifest }: Typed, shown: string, isLatest = false): Promise<number> {
    const text = shown.trim();
    const id = this.#transcript.begin({
      kind: 'command',
      text,
      ...(manifest !== undefined && line === shown && { manifest }),
    });
    this.#foreground = id;
    this.#latest = isLatest ? id : undefined;
    this.#changed();
    try {
      if (manifest === undefined && !waitsForTime(line) && (await this.#service.onlyReads(line))) {
        const { output, exitCode, atMs, requests } = await this.#service.read(line);
        this.#transcript.note(id, { atMs });
        if (this.#transcript.hasEnded(id)) return id;
        if (output !== '') this.#transcript.write(id, { text: output, isError: exitCode !== 0 });
        this.#end(id, exitCode, requests);
      } else {
        const action: Action = {
          do: 'kubectl',
          line: withoutKubectl(line),
          ...(manifest !== undefined && { manifest }),
        };
        await this.#act(action, id);
      }
    } catch (error) {
      this.#fail(id, error);
    }
    return id;
  }

  async #type(text: string): Promise<void> {
    const { running } = this.state;
    if (running?.action === undefined) return;
    for (const line of text.replace(/\n$/, '').split('\n')) {
      try {
        await this.#act({ do: 'type', into: running.action, line });
      } catch (error) {
        return this.#fail(running.id, error);
      }
    }
  }

  async #addToManifest(text: string): Promise<void> {
    if (!this.#manifest) return;
    const lines = text.replace(/\r/g, '').replace(/\n$/, '').split('\n');
    this.#manifest = { ...this.#manifest, lines: [...this.#manifest.lines, ...lines] };
    this.#changed();
  }

  /** @param id the entry that the action begins */
  async #act(action: Action, id?: number): Promise<void> {
    if (id !== undefined) this.#transcript.expect(id, action);
    this.#isActing = true;
    this.#changed();
    const { isPaused, fromMs } = { isPaused: this.#isPaused, fromMs: this.#nowMs };
    let number: number | undefined;
    try {
      number = await this.#service.act(action);
      const advancedMs = this.#nowMs - fromMs;
      if (id !== undefined && isPaused && advancedMs > 0) this.#transcript.note(id, { advancedMs });
    } finally {
      if (id !== undefined) this.#transcript.claim(id, number);
      this.#isActing = false;
      this.#changed();
    }
  }

  #print(line: string, text: string, exitCode = 0): void {
    const id = this.#transcript.begin({ kind: 'command', text: line });
    this.#transcript.write(id, { text: `${text}\n`, isError: exitCode !== 0 });
    this.#end(id, exitCode);
  }

  #end(id: number, exitCode: number, requests?: Entry['requests']): void {
    this.#transcript.end(id, exitCode, requests);
    this.#changed();
  }

  #fail(id: number, error: unknown): void {
    this.#transcript.write(id, { text: `${messageOf(error)}\n`, isError: true });
    this.#end(id, 1);
  }

  #newState(): PromptState {
    const { entries } = this.#transcript;
    const running =
      entries.find(({ id, state }) => id === this.#foreground && state === 'running') ??
      // A shell that was opened before the run began again.
      entries.findLast(({ isInteractive }) => isInteractive);
    const latest = entries.find(({ id }) => id === this.#latest);
    return {
      entries,
      ...(running && { running }),
      ...(latest && { latest }),
      needsTime: running !== undefined && !running.isInteractive && this.#isPaused && !this.#isActing,
      ...(this.#manifest && { manifest: this.#manifest }),
    };
  }

  #changed(): void {
    this.#state = undefined;
    for (const listener of this.#listeners) listener();
  }
}

/** A completed word ends with a blank, unless a value follows. */
function endOf(word: string): string {
  return /[=/]$/.test(word) ? word : `${word} `;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
