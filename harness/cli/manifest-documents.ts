import {
  isCollection,
  LineCounter,
  parseAllDocuments,
  type Tags,
  visit,
  type Document as YamlDocument,
} from 'yaml';
import { Failure } from './failure.ts';

/** One document of a file, as plain JSON. */
export interface Document {
  /** Where its content begins; the first line is 1. */
  readonly line: number;
  /** Its place in a list that begins on that line, from 1 on; absent for what is not in a list. */
  readonly item?: number;
  readonly value: unknown;
}

/**
 * Splits a text into its documents and parses each. Empty ones are left out.
 *
 * Kubernetes reads YAML 1.1: `yes` is true and `0644` is 420. But not all of it: `80:80` is a text, and so is a
 * date.
 *
 * @param file what it is called in messages
 * @throws Failure that says at which line and column the text is not YAML
 *
 * Upstream: sigs.k8s.io/yaml@v1.3.0 yaml.go yamlToJSONTarget
 */
export function documentsOf(text: string, file: string): readonly Document[] {
  const lines = new LineCounter();
  const fail = (offset: number, why: string): never => {
    const { line, col } = lines.linePos(offset);
    throw new Failure(`read ${file}`, `line ${line}, column ${col}: ${why}`, NEXT);
  };
  const documents = parseAllDocuments(text, {
    version: '1.1',
    customTags,
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
  });
  return documents.flatMap((document) => {
    const [error] = document.errors;
    if (error) fail(error.pos[0], error.message);
    refuseOddities(document, fail);
    const start = document.contents?.range?.[0] ?? 0;
    const value = jsonOf(document, (why) => fail(start, why));
    return value === null || value === undefined ? [] : [{ line: lines.linePos(start).line, value }];
  });
}

const NEXT =
  'Correct it there: most often it is the indentation (spaces, no tabs), or a text that needs quotes.';

const customTags = (tags: Tags): Tags =>
  tags.filter((tag) => {
    if (typeof tag === 'string') return true;
    return !('format' in tag && tag.format === 'TIME') && tag.tag !== 'tag:yaml.org,2002:timestamp';
  });

/** What is YAML, but no JSON: the parser would make something of it. */
function refuseOddities(document: YamlDocument.Parsed, fail: (offset: number, why: string) => never): void {
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) === undefined)
        fail(alias.range?.[0] ?? 0, `there is no anchor &${alias.source}`);
    },
    Pair(_, { key }) {
      if (!isCollection(key)) return;
      fail(key.range?.[0] ?? 0, 'a key must be a text; if this is a template, render it first');
    },
  });
}

/** JSON alone, of which no two parts are shared: what an anchor names is copied to where it is used. */
function jsonOf(document: { toJS(): unknown }, fail: (why: string) => never): unknown {
  try {
    return JSON.parse(JSON.stringify(document.toJS() ?? null));
  } catch (error) {
    // An alias that holds itself, leads nowhere, or multiplies without end.
    const [why = ''] = error instanceof Error ? error.message.split('\n') : [];
    return fail(/circular/.test(why) ? 'an anchor contains itself' : why);
  }
}
