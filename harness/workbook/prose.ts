import { codeOf, type Source } from './sources.ts';

/** One paragraph, comment, test title or message of the project. */
export interface Item {
  readonly file: string;
  /** On one line, without the markup of comments. */
  readonly text: string;
}

/** A sign of a sentence that a reader has to read twice. */
export interface Pattern {
  readonly name: string;
  readonly matches: RegExp;
}

/**
 * Signs of unnatural English. Each is rare in well-written projects: fewer than 2 % of the comments of Hono, msw and
 * fast-check contain any of them. A sign is not the fault: rewrite the sentence, not the words that match.
 */
export const PATTERNS: readonly Pattern[] = [
  {
    name: 'a clause with "what" in place of a noun',
    matches:
      /(?:^|[.;:,] )(?:[Ww]hat|[Oo]f what|[Ff]rom what|[Bb]y what|[Ww]ith what|[Ii]n what) (?!if\b|about\b)/,
  },
  {
    name: '"of which", "to whom"',
    matches: /\b(?:of|by|with|from|to|in|at|on|for|under|after|before|during) (?:which|whom|whose)\b/,
  },
  { name: '"tell" in place of report, notify or list', matches: /\b(?:tells?|told|telling|untold)\b/ },
  {
    name: 'a negated noun, as in "it is no Pod"',
    matches:
      /\b(?:is|are|was|were|be) no (?!longer\b|more\b|such\b|match\b|op\b|need\b|way\b|guarantee\b)[a-z]+/,
  },
  {
    name: '"one that", "those that", "nothing that"',
    matches: /\b(?:[Oo]nes?|[Tt]hose|[Nn]othing|[Aa]nything|[Aa]ll|[Ss]ome) (?:that|of which|who)\b/,
  },
  { name: '"is to be"', matches: /\b(?:is|are|was|were) to [a-z]+/ },
  {
    name: '"that there is", "there is nothing"',
    matches:
      /\b(?:that|which|as) there (?:is|are|was|were)\b|\bthere (?:is|are|was|were) (?:none|nothing|no [a-z]+)\b/,
  },
  {
    name: 'a phrase before the subject',
    matches: /(?:^|[.;:] )(?:Of|To|With|By|Among|Under) [a-z][^,.;:]{2,70}, /,
  },
  {
    name: '"so long", "so much" without "as" or "that"',
    matches: /\bso (?:long|much|many|often|soon|far|few)\b(?! as\b)(?! that\b)/,
  },
  {
    name: '"as the server has it"',
    matches: /\bas (?:\w+ ){1,5}(?:has|have|had|knows?|takes?|sees?|calls?|says?|writes?) (?:it|them)\b/,
  },
  {
    name: 'a literary word',
    matches:
      /\b(?:for ever|in vain|anew|thereby|of its own|of their own|comes? to rest|came to rest|strays?|namesake|kin|once more|at the least|all the same|all alone|go(?:es)? by itself)\b/,
  },
  {
    name: 'a passive without an actor',
    matches:
      /\b(?:is|are|was|were|be|been) (?:asked|looked at|taken for|held to|done|said|given|meant|made of|heard)\b/,
  },
];

/** Returns the patterns that an item matches. */
export function patternsIn({ text }: Item): readonly Pattern[] {
  return PATTERNS.filter(({ matches }) => matches.test(text));
}

/**
 * Returns the comments, test titles and messages of a TypeScript file, or the paragraphs, rows and list entries of a
 * Markdown file. Items of fewer than four words are left out, and so are examples, code blocks, citations and directives
 * of tools. Messages count only where they are the project's own: elsewhere, Kubernetes gives the words.
 */
export function itemsOf(source: Source): readonly Item[] {
  const { file, text } = source;
  const found = file.endsWith('.md')
    ? markdown(text)
    : [
        ...docs(text),
        ...lineComments(text),
        ...(hasOwnMessages(file) ? messages(codeOf(source)) : titles(text)),
      ];
  return found
    .map((each) => each.replace(/\s+/g, ' ').trim())
    .filter((each) => each.split(' ').length >= 4)
    .map((each) => ({ file, text: each }));
}

/** Returns the description of each documentation comment, and of each of its tags. */
function docs(text: string): readonly string[] {
  const blocks = [...text.matchAll(/\/\*\*?(.*?)\*\//gs)].map(([, body = '']) =>
    body.replace(/^\s*\* ?/gm, ''),
  );
  return blocks.flatMap((block) =>
    block.split(/^\s*(?=@)/m).flatMap((part) => {
      if (/^@(?:example|see|license|module|internal)\b/.test(part)) return [];
      return [part.replace(/^@\w+(?: [\w.]+)?(?: -)?/, '').replace(/Upstream: .*/s, '')];
    }),
  );
}

/** Returns each run of lines that are comments, without the lines that are directives. */
function lineComments(text: string): readonly string[] {
  const runs = text.match(/(?:^[ \t]*\/\/.*\n?)+/gm) ?? [];
  return runs.map((run) => run.replace(/^[ \t]*\/\/ ?(?:(?:biome|@ts|prettier).*)?/gm, ''));
}

/** Returns the titles of tests, suites and benchmarks. */
function titles(text: string): readonly string[] {
  const calls = text.matchAll(/\b(?:it|test|describe|bench)(?:\.\w+)?\(\s*(['"`])((?:\\.|(?!\1).)+)\1/g);
  return [...calls].map(([, , title = '']) => title);
}

/** Returns whether all long strings of a file are sentences of the project. */
function hasOwnMessages(file: string): boolean {
  return (
    /^(?:katas|harness\/laws)\//.test(file) || /^harness\/(?:vitest|sim|faults)\/(?!.*\.test\.ts$)/.test(file)
  );
}

/** Returns the strings of a file that have blanks, test titles included. An inserted value counts as one word. */
function messages(code: string): readonly string[] {
  const strings = code.matchAll(/(['"`])((?:\\.|(?!\1)[^\\\n])+)\1/g);
  return [...strings]
    .map(([, , each = '']) => each.replace(/\$\{[^}]*\}/g, 'x'))
    .filter((each) => each.includes(' '));
}

/** Returns the paragraphs, list entries and rows of tables, without code blocks and quoted code. */
function markdown(text: string): readonly string[] {
  const prose = text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, 'x');
  return prose.split(/\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.|\|) ?)/).map((part) => part.replace(/^[\s>#|*+-]+/, ''));
}

/** Returns the room of a file: `harness/sim`, `katas/21-informer`, `docs`; `.` for a file in the project's root. */
export function roomOf(file: string): string {
  const [top = '', second, third] = file.split('/');
  if (second === undefined) return '.';
  return third === undefined || top === 'docs' ? top : `${top}/${second}`;
}
