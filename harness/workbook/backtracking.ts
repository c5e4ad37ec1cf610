/** A regular expression as a tree. A `set` is one character; `symbols` are the indices of the characters it matches. */
type Tree =
  | { readonly kind: 'set'; readonly symbols: ReadonlySet<number> }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Tree[] }
  | { readonly kind: 'repeat'; readonly part: Tree; readonly min: number; readonly max: number };

/** Characters that represent all others. The symbol after them is the end of the text. */
const ALPHABET: readonly string[] = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...'µμé中€\u00a0',
];
const ANY: ReadonlySet<number> = new Set(ALPHABET.keys());
const END = ALPHABET.length;

/** The limit for unrolling a bounded repetition. */
const UNROLLED_MAX = 2;

const EMPTY: Tree = { kind: 'sequence', parts: [] };

/** Parses a valid regular expression. Assertions other than a positive look-ahead count as empty. */
class Parser {
  readonly #source: string;
  readonly #flags: string;
  #at = 0;

  constructor({ source, flags }: RegExp) {
    this.#source = source;
    this.#flags = flags.replace(/[dgmy]/g, '');
  }

  choice(): Tree {
    const parts = [this.#sequence()];
    while (this.#take(/\|/y)) parts.push(this.#sequence());
    return { kind: 'choice', parts };
  }

  #sequence(): Tree {
    const parts: Tree[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at))) {
      parts.push(this.#repeat());
    }
    return { kind: 'sequence', parts };
  }

  #repeat(): Tree {
    const part = this.#atom();
    const quantifier = this.#take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (quantifier === undefined) return part;
    const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(quantifier) ?? [];
    const min = least === undefined ? Number(quantifier.startsWith('+')) : Number(least);
    if (quantifier.startsWith('?')) return { kind: 'repeat', part, min, max: 1 };
    const isExact = least !== undefined && !comma;
    return { kind: 'repeat', part, min, max: isExact ? min : Number(most || Number.POSITIVE_INFINITY) };
  }

  #atom(): Tree {
    if (this.#take(/\^|\\[bB]/y)) return EMPTY;
    if (this.#take(/\$/y)) return { kind: 'set', symbols: new Set([END]) };
    const group = this.#take(/\((?:\?(?:<?[=!]|:|<\w+>))?/y);
    if (group !== undefined) {
      const inner = this.choice();
      this.#take(/\)/y);
      return /^\(\?(?:<[=!]|!)/.test(group) ? EMPTY : inner;
    }
    const atom = this.#take(
      /\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u\w{4}|\\x\w\w|\\k<\w+>|\\?./sy,
    );
    if (atom === undefined || /^\\(?:[1-9]|k)/.test(atom)) return { kind: 'set', symbols: ANY };
    return { kind: 'set', symbols: symbolsOf(`^(?:${atom})$`, this.#flags) };
  }

  #take(token: RegExp): string | undefined {
    token.lastIndex = this.#at;
    const [found] = token.exec(this.#source) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }
}

const knownSymbols = new Map<string, ReadonlySet<number>>();

/** Returns the symbols whose characters match. */
function symbolsOf(source: string, flags: string): ReadonlySet<number> {
  const known = knownSymbols.get(`${flags} ${source}`);
  if (known) return known;
  const pattern = new RegExp(source, flags);
  const symbols = new Set([...ANY].filter((i) => pattern.test(ALPHABET[i] as string)));
  knownSymbols.set(`${flags} ${source}`, symbols);
  return symbols;
}

/** A step of an automaton, which takes one symbol. */
interface Step {
  readonly symbols: ReadonlySet<number>;
  readonly to: number;
}

/** A nondeterministic automaton with the choices of a backtracking engine. Free moves take no symbol. */
class Automaton {
  readonly #free: number[][] = [];
  readonly #steps: Step[][] = [];

  /** Adds a state, and a free move to it. */
  state(...from: readonly number[]): number {
    const added = this.#free.push([]) - 1;
    this.#steps.push([]);
    for (const each of from) this.free(each, added);
    return added;
  }

  free(from: number, to: number): void {
    this.#free[from]?.push(to);
  }

  step(from: number, symbols: ReadonlySet<number>, to: number): void {
    this.#steps[from]?.push({ symbols, to });
  }

  /** Adds the states of a tree. @returns the state after a match */
  add(tree: Tree, from: number): number {
    switch (tree.kind) {
      case 'set': {
        const to = this.state();
        this.step(from, tree.symbols, to);
        return to;
      }
      case 'sequence':
        return tree.parts.reduce((last, part) => this.add(part, last), from);
      case 'choice':
        return this.state(...tree.parts.map((part) => this.add(part, this.state(from))));
      case 'repeat':
        return this.#addRepeat(tree, from);
    }
  }

  #addRepeat({ part, min, max }: Extract<Tree, { kind: 'repeat' }>, from: number): number {
    let last = from;
    for (let i = 0; i < Math.min(min, UNROLLED_MAX); i++) last = this.add(part, last);
    if (max === Number.POSITIVE_INFINITY) {
      const begin = this.state(last);
      this.free(this.add(part, begin), begin);
      return this.state(begin);
    }
    const exits = [last];
    for (let i = 0; i < Math.min(max - min, UNROLLED_MAX); i++) {
      last = this.add(part, last);
      exits.push(last);
    }
    return this.state(...exits);
  }

  /** Returns the steps that can follow a state, and whether a match can end there. */
  after(state: number, end: number): { readonly steps: readonly Step[]; readonly accepts: boolean } {
    const states = [state, ...reachable(state, (at) => this.#free[at] ?? [])];
    return { steps: states.flatMap((at) => this.#steps[at] ?? []), accepts: states.includes(end) };
  }

  get size(): number {
    return this.#steps.length;
  }
}

/**
 * Reports whether a backtracking engine can need more than linear time to find out that a text does not match.
 *
 * It can if two different loops can read the same characters, and one leads to the other: the engine then tries every
 * place of the change. The search for a pattern without `^` is such a loop, too, over all characters.
 *
 * The method is the one of Weber and Seidl, "On the degree of ambiguity of finite automata" (1991). It does not know
 * what a look-behind or a negative look-ahead excludes, nor that a text is short or well-formed.
 */
export function backtracks(pattern: RegExp): boolean {
  const automaton = new Automaton();
  const start = automaton.state();
  if (!/^(?:\(\?:|\()*\^/.test(pattern.source)) automaton.step(start, ANY, start);
  const end = automaton.add(new Parser(pattern).choice(), start);
  const after = Array.from({ length: automaton.size }, (_, state) => automaton.after(state, end));
  const stepsOf = (state: number): readonly Step[] => after[state]?.steps ?? [];
  const reach = after.map((_, state) => reachable(state, (at) => stepsOf(at).map(({ to }) => to)));
  const leads = (from: number, to: number): boolean => reach[from]?.has(to) ?? false;
  const symbols = representatives(after.flatMap(({ steps }) => steps));
  const next = (state: number, symbol: number): readonly number[] =>
    stepsOf(state).flatMap((step) => (step.symbols.has(symbol) ? [step.to] : []));
  /** Whether one text leads from `p` to `p`, from `p` to `q`, and from `q` to `q`. */
  const share = (p: number, q: number): boolean => {
    const moves = ([a, b, c]: readonly number[]): string[] =>
      symbols.flatMap((symbol) => {
        const [inP, between, inQ] = [
          next(a as number, symbol).filter((to) => leads(to, p)),
          next(b as number, symbol).filter((to) => to === q || leads(to, q)),
          next(c as number, symbol).filter((to) => leads(to, q)),
        ];
        return inP.flatMap((x) => between.flatMap((y) => inQ.map((z) => `${x} ${y} ${z}`)));
      });
    return reachable(`${p} ${p} ${q}`, (text) => moves(text.split(' ').map(Number))).has(`${p} ${q} ${q}`);
  };
  const loops = [...after.keys()].filter(
    (state) => leads(state, state) && (state === start || leads(start, state)),
  );
  // Where a match can end, the engine does not search on.
  const open = loops.filter((state) => !after[state]?.accepts);
  return loops.some((p) => open.some((q) => p !== q && leads(p, q) && share(p, q)));
}

/** Returns one symbol of each set of symbols that all steps treat alike. */
function representatives(steps: readonly Step[]): readonly number[] {
  const byUse = new Map<string, number>();
  for (let symbol = 0; symbol <= END; symbol++) {
    byUse.set(steps.map((step) => Number(step.symbols.has(symbol))).join(''), symbol);
  }
  return [...byUse.values()];
}

/** Returns everything that one or more moves lead to. */
function reachable<T>(from: T, moves: (at: T) => readonly T[]): ReadonlySet<T> {
  const found = new Set<T>();
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const to of moves(at)) {
      if (found.has(to)) continue;
      found.add(to);
      open.push(to);
    }
  }
  return found;
}
