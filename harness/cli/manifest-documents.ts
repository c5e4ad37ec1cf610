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
  /** The line where its content begins, counted from 1. */
  readonly line: number;
  /** Its index in a list that begins on that line, counted from 1; absent outside a list. */
  readonly item?: number;
  readonly value: unknown;
}

/**
 * Splits a text into documents, parses each, and leaves out empty ones.
 *
 * Kubernetes reads YAML 1.1: `yes` is true and `0644` is 420. But it does not read all of it: `80:80` is a text, and so
 * is a date.
 *
 * @param file its name in messages
 * @throws Failure with the line and column of a syntax error
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
  'Correct that line. The usual cause is the indentation (spaces, no tabs) or a string that needs quotes.';

const customTags = (tags: Tags): Tags =>
  tags.filter((tag) => {
    if (typeof tag === 'string') return true;
    return !('format' in tag && tag.format === 'TIME') && tag.tag !== 'tag:yaml.org,2002:timestamp';
  });

/** Rejects YAML that has no JSON equivalent: the parser would convert it silently. */
function refuseOddities(document: YamlDocument.Parsed, fail: (offset: number, why: string) => never): void {
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) === undefined)
        fail(alias.range?.[0] ?? 0, `the anchor &${alias.source} does not exist`);
    },
    Pair(_, { key }) {
      if (!isCollection(key)) return;
      fail(key.range?.[0] ?? 0, 'a key must be a string; if this is a template, render it first');
    },
  });
}

/** Converts a document to plain JSON without shared parts: each alias becomes a copy. */
function jsonOf(document: { toJS(): unknown }, fail: (why: string) => never): unknown {
  try {
    return JSON.parse(JSON.stringify(document.toJS() ?? null));
  } catch (error) {
    // The alias contains itself, has no target, or expands without limit.
    const [why = ''] = error instanceof Error ? error.message.split('\n') : [];
    return fail(/circular/.test(why) ? 'an anchor contains itself' : why);
  }
}
