import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Components } from '../contracts/index.ts';
import { plain } from './colours.ts';
import { exitCodeOf } from './failure.ts';
import { Screen } from './screen.fixture.ts';
import { start } from './start-command.ts';
import { SmallWorkbook } from './workbook.fixture.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** Types `npm start …` in a folder with these files, in a workbook of one kata. */
async function started(
  words: readonly string[],
  files: Readonly<Record<string, string>> = {},
  own: Partial<Components> = {},
) {
  using workbook = new SmallWorkbook();
  const cwd = mkdtempSync(path.join(tmpdir(), 'manifests-'));
  const screen = new Screen();
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(cwd, name), text);
    const parts = { ...components, ...own };
    const options = {
      root: workbook.root,
      cwd,
      width: 100,
      components: parts,
      terminal: screen,
      paint: plain,
    };
    const code = await exitCodeOf(() => start(words, options), screen);
    return { code, out: screen.out, err: screen.err };
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

const configMap = (more = ''): string => `{apiVersion: v1, kind: ConfigMap, metadata: {name: a${more}}}`;

const pod = (name: string, image: string): string =>
  `{apiVersion: v1, kind: Pod, metadata: {name: ${name}}, spec: {containers: [{name: main, image: "${image}"}]}}`;

describe('A start', () => {
  test('applies a manifest from the current folder, and says how to begin', async () => {
    const { code, out, err } = await started(['a.yaml'], { 'a.yaml': configMap() });
    expect({ code, err }).toEqual({ code: 0, err: [] });
    expect(out).toContain('kubectl apply -f a.yaml');
    expect(out).toContain(
      '          Components that watch configmaps and are notified: garbage-collector-controller,',
    );
    expect(out.slice(-6)).toEqual([
      '',
      '· 21-counter  not started  3 functions to write',
      '',
      'Begin with katas/21-counter/README.md, and run',
      '  npx vitest katas/21-counter',
      '',
    ]);
  });

  test('applies docs/web.yaml if no manifest is named', async () => {
    const { err } = await started([]);
    // This small workbook has no docs/web.yaml.
    expect(err.join()).toMatch(/^Failed to read docs\/web\.yaml: the file does not exist\./);
  });

  test('explains an apply that never ends', async () => {
    const apply: Components['apply'] = () => new Promise(() => {});
    const { code, err } = await started(['a.yaml'], { 'a.yaml': configMap() }, { apply });
    expect({ code, err }).toEqual({
      code: 1,
      err: [
        "Failed to apply a.yaml: The apply of kata 11 has not ended after 10 minutes of the cluster's time. A promise that it awaits never settles, or it retries without end. Run npx vitest katas/11-apply.",
      ],
    });
  });

  test("shows the run up to the server's rejection", async () => {
    const { code, out, err } = await started(['a.yaml'], { 'a.yaml': configMap(', namespace: shop') });
    expect(code).toBe(1);
    // Admission waits 50 ms for a namespace that may only be unknown yet.
    expect(out.at(-2)).toBe('t=53ms  kubectl  POST configmaps/shop/a  404 NotFound');
    expect(err).toEqual([
      expect.stringMatching(/^Failed to apply ConfigMap a: namespaces "shop" not found\./),
    ]);
  });

  test('shows the named life', async () => {
    const { code, out } = await started(['--life', 'ready']);
    expect(code).toBe(0);
    expect(out).toContain('$ kubectl apply -f web.yaml');
  });

  test.each([
    [['nope.yaml'], /^Failed to read nope\.yaml: the file does not exist\. Name a manifest that exists/],
    [['.'], /^Failed to read \.: it is a folder\. Name one file in it\.$/],
    [
      ['a.yaml', 'b.yaml'],
      /^Failed to start: it takes one manifest\. Type npm start, npm start <manifest\.yaml>, or npm run life; npm start -- --help explains/,
    ],
    [
      ['--life', 'a.yaml'],
      /^Failed to show the life a\.yaml: no life has that name\. Type npm run life, or one of: ready, crash-loop/,
    ],
    [['--life', 'ready', 'more'], /^Failed to start: the option --life does not exist/],
    [['--fast'], /^Failed to start: the option --fast does not exist\. Type npm start/],
    [['empty.yaml'], /^Failed to read empty\.yaml: it contains no object\./],
  ])('ends with one sentence if it fails: %s', async (words, why) => {
    const { code, out, err } = await started(words, { 'empty.yaml': '# nothing\n' });
    expect({ code, out }).toEqual({ code: 1, out: [] });
    expect(err).toEqual([expect.stringMatching(why)]);
  });

  test('runs the nearest tag of an image, and a stand-in for any other image with --any-image', async () => {
    const manifest = `${pod('a', 'nginx:1.27.4')}\n---\n${pod('b', 'ghcr.io/team/shop:v2')}`;
    const { out } = await started(['a.yaml', '--any-image'], { 'a.yaml': manifest });
    const text = out.join('\n');
    expect(text).toContain('All 2 pods are ready.');
    expect(text).toContain('nginx:1.27.5 takes the place of nginx:1.27.4');
    expect(text).toContain('A stand-in takes the place of ghcr.io/team/shop:v2');
  });
});
