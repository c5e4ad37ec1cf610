import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Components } from '../contracts/index.ts';
import { plain } from './colours.ts';
import { exitCodeOf } from './failure.ts';
import { Screen } from './screen.fixture.ts';
import { start } from './start-command.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const cwd = mkdtempSync(path.join(tmpdir(), 'lives-'));
afterAll(() => rmSync(cwd, { recursive: true }));

/** Types `npm run life -- …` in a folder with one manifest. */
async function lived(...words: readonly string[]) {
  const spec = '{containers: [{name: a, image: "nginx:1.27", resources: {requests: {cpu: 100m}}}]}';
  const pod = `{apiVersion: v1, kind: Pod, metadata: {name: small}, spec: ${spec}}`;
  writeFileSync(path.join(cwd, 'small.yaml'), pod);
  const screen = new Screen();
  const options = { root: cwd, cwd, width: 100, components, terminal: screen, paint: plain };
  const code = await exitCodeOf(() => start(['--life', ...words], options), screen);
  return { code, out: screen.out, err: screen.err };
}

describe('npm run life -- apply', () => {
  test('lists the steps of an apply', async () => {
    const { code, out, err } = await lived('apply', 'small.yaml');
    expect({ code, err }).toEqual({ code: 0, err: [] });
    expect(out).toContain('$ kubectl apply -f small.yaml');
    expect(out).toContainEqual(expect.stringMatching(/kubelet +→ containerd: startContainer a$/));
  });

  test('--mermaid prints nothing but Mermaid', async () => {
    const { out } = await lived('apply', 'small.yaml', '--mermaid');
    expect(out[0]).toBe('sequenceDiagram');
    for (const line of out.slice(1)) expect(line).toMatch(/^ {2}(participant |Note over |p\d+\S+p\d+: )/);
  });

  test('--svg writes a picture', async () => {
    const { out } = await lived('apply', 'small.yaml', '--svg', 'apply.svg');
    expect(out).toContainEqual(expect.stringMatching(/^apply\.svg: \d+ steps\. Open it in a browser\.$/));
    expect(readFileSync(path.join(cwd, 'apply.svg'), 'utf8')).toMatch(/^<svg .*<\/svg>\n$/s);
  });

  test.each([
    [
      ['--svg'],
      /^Failed to draw the run: the option --svg needs the name of a file\. Type npm run life -- apply/,
    ],
    [['--png'], /^Failed to show the life apply: the option --png does not exist\. /],
    [['a.yaml', 'b.yaml'], /^Failed to show the life apply: it takes one manifest\. /],
    [['nope.yaml'], /^Failed to read nope\.yaml: the file does not exist\. /],
    [
      ['small.yaml', '--svg', 'no/where.svg'],
      /^Failed to write no\/where\.svg: ENOENT\. Name a file in a folder/,
    ],
  ])('ends with one sentence if it fails: %s', async (words, why) => {
    const { code, out, err } = await lived('apply', ...words);
    expect({ code, out }).toEqual({ code: 1, out: [] });
    expect(err).toEqual([expect.stringMatching(why)]);
    expect(existsSync(path.join(cwd, '--png'))).toBe(false);
  });
});

describe('npm run life -- scheduling', () => {
  test('prints the scores of each node, and marks the chosen node', async () => {
    const { code, out } = await lived('scheduling', 'small.yaml');
    expect(code).toBe(0);
    const heading = out.findIndex((line) => /^pods\/default\/small at \d+ ms: bound to node-\d$/.test(line));
    expect(out.slice(heading + 1, heading + 6)).toEqual([
      '        Taint          Node          NodeResources       Image',
      'node    Toleration     ResourcesFit  BalancedAllocation  Locality  total',
      expect.stringMatching(/^node-\d {2}100 × 3 = 300 {2}\d+ +\d+ +0 +\d+(?: {2}◀)?$/),
      expect.stringMatching(/^node-\d {2}100 × 3 = 300 /),
      expect.stringMatching(/^node-\d {2}100 × 3 = 300 /),
    ]);
    expect(out.filter((line) => line.endsWith('◀'))).toHaveLength(1);
  });
});
