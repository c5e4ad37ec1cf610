import { describe, expect, test } from 'vitest';
import { StatusError } from '../../api/status.ts';
import {
  deleteOptions,
  listOptions,
  patchOptions,
  watchOptions,
  withManager,
  writeOptions,
} from './options.ts';

const query = (text: string) => new URLSearchParams(text);

function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
  throw new Error('The options were taken.');
}

describe('listOptions', () => {
  test('omits empty and meaningless parameters', () => {
    expect(listOptions(query('labelSelector=&resourceVersion=&continue=&limit=0&other=1'))).toEqual({});
    expect(listOptions(query('labelSelector=a&fieldSelector=b&limit=5&continue=c'))).toEqual({
      labelSelector: 'a',
      fieldSelector: 'b',
      limit: 5,
      continue: 'c',
    });
  });

  test.each([
    ['limit=abc', '400 strconv.ParseInt: parsing "abc": invalid syntax'],
    ['limit=', '400 strconv.ParseInt: parsing "": invalid syntax'],
    ['limit=9223372036854775808', '400 strconv.ParseInt: parsing "9223372036854775808": value out of range'],
    [
      'resourceVersionMatch=Exact&resourceVersion=0',
      '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    [
      'resourceVersionMatch=Near&resourceVersion=1',
      '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Unsupported value: "Near": supported values: "Exact", "NotOlderThan", ""',
    ],
    [
      'sendInitialEvents=false',
      '422 ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    ],
  ])('rejects %s', (text, message) => {
    expect(refusal(() => listOptions(query(text)))).toBe(message);
  });
});

describe('watchOptions', () => {
  test('reads a flag without a value as true', () => {
    expect(watchOptions(query('allowWatchBookmarks')).allowWatchBookmarks).toBe(true);
    expect(watchOptions(query('allowWatchBookmarks=0')).allowWatchBookmarks).toBe(false);
    expect(watchOptions(query('')).allowWatchBookmarks).toBe(false);
  });

  test('requests a streaming list as client-go does', () => {
    const asked =
      'allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&timeoutSeconds=317&watch=true';
    expect(watchOptions(query(asked))).toEqual({
      allowWatchBookmarks: true,
      resourceVersionMatch: 'NotOlderThan',
      sendInitialEvents: true,
      timeoutSeconds: 317,
    });
    expect(watchOptions(query(asked.replace('Events=true', 'Events=0'))).sendInitialEvents).toBe(false);
    expect(watchOptions(query('sendInitialEvents&resourceVersionMatch=NotOlderThan')).sendInitialEvents).toBe(
      true,
    );
  });

  test.each([
    ['timeoutSeconds=soon', '400 strconv.ParseInt: parsing "soon": invalid syntax'],
    [
      'sendInitialEvents=false',
      '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ],
    [
      'sendInitialEvents&resourceVersionMatch=Exact',
      '422 ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]',
    ],
    [
      'resourceVersionMatch=NotOlderThan',
      '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ],
    [
      'sendInitialEvents&resourceVersionMatch=NotOlderThan&continue=x',
      '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    ],
  ])('rejects %s', (text, message) => {
    expect(refusal(() => watchOptions(query(text)))).toBe(message);
  });
});

describe('writeOptions', () => {
  test('warns by default', () => {
    expect(writeOptions(query(''), 'CreateOptions')).toEqual({ dryRun: false, fieldValidation: 'Warn' });
    expect(writeOptions(query('dryRun=All&fieldManager=me&fieldValidation=Strict'), 'CreateOptions')).toEqual(
      {
        dryRun: true,
        fieldManager: 'me',
        fieldValidation: 'Strict',
      },
    );
  });

  test.each([
    ['dryRun=Some', 'dryRun: Unsupported value: ["Some"]: supported values: "All"'],
    [
      'fieldValidation=Lax',
      'fieldValidation: Unsupported value: "Lax": supported values: "", "Ignore", "Strict", "Warn"',
    ],
    ['fieldManager=a%07', 'fieldManager: Invalid value: "a\\a": invalid character U+0007 (at position 1)'],
  ])('rejects %s', (text, message) => {
    const told = refusal(() => writeOptions(query(text), 'PatchOptions'));
    expect(told).toBe(`422 PatchOptions.meta.k8s.io "" is invalid: ${message}`);
  });
});

describe('patchOptions', () => {
  test('accepts force for an apply by a named manager', () => {
    const options = { dryRun: false, fieldValidation: 'Warn', fieldManager: 'me' };
    expect(patchOptions(query('fieldManager=me'), 'apply')).toEqual(options);
    expect(patchOptions(query('fieldManager=me&force=true'), 'apply')).toEqual({ ...options, force: true });
    expect(patchOptions(query('fieldManager=me&force=false'), 'apply')).toEqual({ ...options, force: false });
  });

  test.each([
    ['force=true', 'merge', 'force: Forbidden: may not be specified for non-apply patch'],
    ['force=false', 'json', 'force: Forbidden: may not be specified for non-apply patch'],
    ['force=true', 'apply', 'fieldManager: Required value: is required for apply patch'],
  ] as const)('refuses %s for a %s patch', (text, type, message) => {
    const told = refusal(() => patchOptions(query(text), type));
    expect(told).toBe(`422 PatchOptions.meta.k8s.io "" is invalid: ${message}`);
  });
});

describe('withManager', () => {
  const managerOf = (userAgent: string, fieldManager?: string) =>
    withManager(
      { ...(fieldManager ? { fieldManager } : {}) },
      new Request('http://a.test', { headers: { 'user-agent': userAgent } }),
    ).fieldManager;

  test('derives the manager from the user agent if the request names none', () => {
    expect(managerOf('kubectl/v1.33.0 (linux/amd64)', 'me')).toBe('me');
    expect(managerOf('kubectl/v1.33.0 (linux/amd64)')).toBe('kubectl');
    expect(managerOf('curl')).toBe('curl');
    expect(managerOf('')).toBe('');
  });

  test('drops unprintable characters and cuts long names', () => {
    expect(managerOf('a\u00adb/1')).toBe('ab');
    expect(managerOf('x'.repeat(200))).toBe('x'.repeat(128));
    expect(managerOf(`${'x'.repeat(127)}é`)).toBe('x'.repeat(127));
  });
});

describe('deleteOptions', () => {
  test('reads parameters only if there is no body', () => {
    const parameters = query('gracePeriodSeconds=5&propagationPolicy=Orphan&dryRun=All');
    const given = { gracePeriodSeconds: 5, propagationPolicy: 'Orphan', dryRun: true };
    expect(deleteOptions(parameters)).toEqual(given);
    expect(deleteOptions(parameters, { preconditions: { uid: 'u' } })).toEqual({
      preconditions: { uid: 'u' },
    });
  });

  test('still accepts orphanDependents', () => {
    expect(deleteOptions(query(''), { orphanDependents: true })).toEqual({ propagationPolicy: 'Orphan' });
    expect(deleteOptions(query('orphanDependents=false'))).toEqual({ propagationPolicy: 'Background' });
  });

  test('rejects an unknown policy', () => {
    expect(refusal(() => deleteOptions(query('propagationPolicy=Some')))).toBe(
      '422 DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Some": supported values: "Foreground", "Background", "Orphan", "nil"',
    );
  });
});
