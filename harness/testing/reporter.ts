import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { UserConsoleLog } from 'vitest';
import type { Reporter, SerializedError, TestCase, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { explain } from './present.ts';
import { codeFrame } from './present-frame.ts';
import { type KataMarks, type Mark, type Screen, screenLines } from './reporter-screen.ts';
import { tally, tallyLine } from './reporter-tally.ts';

/** Shows a learner one screen: how far they are, what is next, and where to look. */
export class KataReporter implements Reporter {
  #root = process.cwd();
  #startedAtMs = 0;
  #clear: () => void = () => {};

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
    this.#clear = () => vitest.logger.clearFullScreen();
  }

  onTestRunStart(_: readonly TestSpecification[]): void {
    this.#startedAtMs = performance.now();
  }

  onUserConsoleLog({ type, content }: UserConsoleLog): void {
    process[type].write(content);
  }

  onWatcherRerun(): void {
    this.#clear();
  }

  onWatcherStart(): void {
    write(['', ' waiting for changes, q quits']);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const ordered = [...modules].sort((a, b) => teachingOrder(a).localeCompare(teachingOrder(b)));
    const screen = this.#screen(ordered, unhandled);
    if (modules.length > 0 || unhandled.length > 0) write(screenLines(screen));
    write([tallyLine(tally(modules, unhandled))]);
  }

  #screen(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Screen {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const next = tests.find((test) => test.result().state === 'failed');
    const unloaded = modules.find((module) => module.errors().length > 0);
    const problem = unloaded ? this.#unloaded(unloaded) : this.#unhandled(unhandled);
    const katas = katasOf(modules);
    const kata = katas.at(-1)?.kata;
    return {
      katas,
      durationMs: Math.round(performance.now() - this.#startedAtMs),
      ...(problem && { problem }),
      ...(next && !unloaded && { next: this.#next(next) }),
      ...(kata !== undefined && { done: { kata, ...this.#after(kata) } }),
    };
  }

  #next(test: TestCase): NonNullable<Screen['next']> {
    const kata = kataOf(test.module);
    const explanation = explain(test.result().errors ?? []);
    const { counterexample, timeline } = test.meta().evidence ?? {};
    const place = explanation?.unwritten ? this.#stub(explanation.unwritten) : undefined;
    const position = place ?? explanation?.position;
    const heading = explanation?.unwritten?.heading ?? headingOf(test);
    const project = test.project.name === 'katas' ? '' : ` --project ${test.project.name}`;
    const seed = counterexample ? `KATA_SEED=${counterexample.seed} ` : '';
    return {
      test: test.fullName,
      ...(explanation && { explanation }),
      ...(position && { at: this.#relative(position.file, position.line), frame: codeFrame(position) }),
      ...(timeline && { timeline }),
      replay: `${seed}npx vitest katas/${kata}${project} -t ${quoted(fullNamePattern(test))}`,
      hint: `katas/${kata}/README.md, "${heading}"`,
    };
  }

  /** Where the function that is still to be written stands. */
  #stub({ kata, symbol }: { readonly kata: string; readonly symbol: string }) {
    const folder = path.join(this.#root, 'katas', kata);
    const call = new RegExp(`todo\\([^)]*['"\`]${escapePattern(symbol)}['"\`]`);
    for (const name of filesIn(folder)) {
      if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
      const file = path.join(folder, name);
      const line =
        readFileSync(file, 'utf8')
          .split('\n')
          .findIndex((text) => call.test(text)) + 1;
      if (line > 0) return { file, line, column: 1, method: symbol };
    }
    return undefined;
  }

  #unloaded(module: TestModule): Screen['problem'] {
    const errors = module.errors();
    const explanation = explain(errors);
    return {
      what: `${this.#relative(module.moduleId)} could not be loaded`,
      ...(explanation && { explanation }),
      ...(explanation?.position && {
        at: this.#relative(explanation.position.file, explanation.position.line),
        frame: codeFrame(explanation.position),
      }),
    };
  }

  #unhandled(errors: readonly SerializedError[]): Screen['problem'] {
    const told = errors.find(({ name }) => name === 'NeverYielded') ?? errors[0];
    if (!told) return undefined;
    const explanation = explain([told]);
    const during = told.VITEST_TEST_NAME as string | undefined;
    return {
      what:
        told.name === 'NeverYielded'
          ? 'a file could not be loaded'
          : `an error that nobody caught${during === undefined ? '' : `, during "${during}"`}`,
      ...(explanation && { explanation }),
      ...(explanation?.position && {
        at: this.#relative(explanation.position.file, explanation.position.line),
        frame: codeFrame(explanation.position),
      }),
    };
  }

  /** What to do once `kata` is green. */
  #after(kata: string): { readonly following?: string } {
    const katas = filesIn(path.join(this.#root, 'katas')).filter((name) => /^\d\d-/.test(name));
    const following = katas.find((name) => name > kata);
    return following === undefined ? {} : { following };
  }

  #relative(file: string, line?: number): string {
    return `${path.relative(this.#root, file)}${line === undefined ? '' : `:${line}`}`;
  }
}

/** The marks of every kata in the run, level by level, then the laws. */
function katasOf(modules: readonly TestModule[]): readonly KataMarks[] {
  const katas = new Map<string, Map<string, Mark[]>>();
  for (const module of modules) {
    const groups = katas.get(kataOf(module)) ?? new Map<string, Mark[]>();
    katas.set(kataOf(module), groups);
    for (const test of module.children.allTests()) {
      const marks = groups.get(groupOf(test)) ?? [];
      groups.set(groupOf(test), marks);
      const { state } = test.result();
      if (state !== 'pending') marks.push(state);
    }
  }
  return [...katas].map(([kata, groups]) => ({
    kata,
    groups: [...groups].map(([name, marks]) => ({ name, marks })),
  }));
}

/** Examples before properties before anything else, kata by kata. */
function teachingOrder(module: TestModule): string {
  const name = path.basename(module.moduleId, '.test.ts');
  const rank = name.includes('.properties') ? 1 : name.includes('.') ? 2 : 0;
  return `${kataOf(module)} ${rank} ${name}`;
}

function kataOf({ moduleId }: TestModule): string {
  return /\/katas\/([^/]+)\//.exec(moduleId)?.[1] ?? '';
}

/** The outermost describe, which names the level; the laws' own when the file has none. */
function groupOf(test: TestCase): string {
  let group = '';
  for (let parent = test.parent; parent.type === 'suite'; parent = parent.parent) group = parent.name;
  if (group !== '') return group;
  return test.module.moduleId.includes('.properties.') ? 'Laws' : 'Tests';
}

function headingOf(test: TestCase): string {
  return /^Level \d+/.exec(groupOf(test))?.[0] ?? 'Laws';
}

/** Vitest matches `-t` as a pattern against the names of the suites and the test, joined by spaces. */
function fullNamePattern(test: TestCase): string {
  return escapePattern(test.fullName.replaceAll(' > ', ' '));
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function write(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
