import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Components } from '../../contracts/component.ts';
import { toKataTable } from './kata-table.ts';
import { toMermaid } from './mermaid.ts';
import { realRun } from './real-run.fixture.ts';
import { firstPod, sequenceDiagram } from './sequence-diagram.ts';
import { toSvg } from './svg.ts';
import { arrowAreas, overlap, textBoxes, wellFormed } from './svg-boxes.fixture.ts';
import { toText } from './text.ts';

const golden = (name: string): string => path.resolve(import.meta.dirname, 'golden', name);

const { components } = (await import('#components')) as { readonly components: Components };
const { trace, journal, beganMs } = await realRun(components);
const whole = sequenceDiagram(trace, { journal, fromMs: beganMs });
const onlyPod = firstPod(whole) ?? '';
const onePod = sequenceDiagram(trace, { journal, fromMs: beganMs, onlyPod });
const sinceMs = beganMs;

describe('The diagram of an apply with three replicas', () => {
  test('fits a screen', () => {
    expect(whole.steps.length).toBeLessThanOrEqual(45);
  });

  test('has the participants from kubectl to the kubelets and their networks', () => {
    expect(whole.participants.map(({ id }) => id)).toEqual([
      'kubectl',
      'apiserver',
      'deployment-controller',
      'replicaset-controller',
      'endpointslice-controller',
      'default-scheduler',
      'kubelet',
      'containerd',
      'CNI plugins',
      'containers',
      'kube-proxy',
    ]);
  });

  test('has the start of a pod in the order of the story', () => {
    const ofPod = onePod.steps.filter(({ objects }) => objects.includes(onlyPod));
    const acts = ofPod.filter(({ kind, from }) => kind === 'call' || from !== 'apiserver');
    expect(acts.map(({ verb, result }) => [verb, result].filter(Boolean).join(' '))).toEqual([
      'create 0/1 Pending',
      'explain',
      expect.stringMatching(/^bind to node-\d$/),
      'patch 0/1 ContainerCreating',
      'runPodSandbox',
      'add',
      'patch 0/1 ContainerCreating',
      'pullImage',
      'createContainer',
      'startContainer',
      'request',
      'patch 0/1 Running',
      'patch 1/1 Running',
    ]);
  });

  test('is the same without a journal, apart from the results', () => {
    const bare = sequenceDiagram(trace, { fromMs: beganMs });
    expect(bare.participants).toEqual(whole.participants);
    expect(bare.steps.some(({ result }) => result !== undefined)).toBe(false);
  });

  test('of one pod has no object of another pod', () => {
    const pods = onePod.steps.flatMap(({ objects }) => objects.filter((object) => /^pods\//.test(object)));
    expect(new Set(pods)).toEqual(new Set([onlyPod]));
  });

  test('of one object has only its owners and its dependents', () => {
    const { steps } = sequenceDiagram(trace, { journal, fromMs: beganMs, about: 'services/default/web' });
    expect(new Set(steps.flatMap(({ objects }) => objects.map((object) => object.split('/')[0])))).toEqual(
      new Set(['services', 'endpointslices']),
    );
  });
});

describe('Mermaid', () => {
  // If you change when or how the components act, this file changes: read the difference, then update it with -u.
  test('matches its approved file', async () => {
    await expect(toMermaid(whole, { sinceMs })).toMatchFileSnapshot(golden('apply.mmd'));
  });
});

describe('The text', () => {
  test('matches its approved file', async () => {
    await expect(`${toText(whole, { sinceMs }).join('\n')}\n`).toMatchFileSnapshot(golden('apply.txt'));
  });

  test('fits a wide terminal', () => {
    for (const line of toText(whole, { sinceMs })) expect(line.length).toBeLessThanOrEqual(120);
  });
});

describe('The table of katas', () => {
  const workbook = path.resolve(import.meta.dirname, '../../..');
  const cellOf = (kata: string): string => {
    const place = [`katas/${kata}`, `solutions/${kata}`].find((each) =>
      existsSync(path.join(workbook, each)),
    );
    return `[${kata}](../../${place}/README.md)`;
  };
  const table = `${toKataTable(onePod, { sinceMs, cellOf }).join('\n')}\n`;

  test('matches its approved file, which the README of kata 71 shows', async () => {
    await expect(table).toMatchFileSnapshot(golden('apply-katas.md'));
    expect(readFileSync(path.join(workbook, 'katas/71-cluster/README.md'), 'utf8')).toContain(table);
  });
});

describe.each([
  { name: 'all pods', diagram: whole },
  { name: 'one pod', diagram: onePod },
])('The SVG of $name', ({ diagram }) => {
  const svg = toSvg(diagram, { sinceMs });

  test('is well-formed', () => {
    expect(wellFormed(svg)).toEqual([]);
  });

  test('has a title, a description, and a group for each step', () => {
    expect(svg).toMatch(/^<svg [^>]*>\n<title>[^<]+<\/title>\n<desc>[^<]+<\/desc>/);
    const numbers = [...svg.matchAll(/data-step="(\d+)"/g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(diagram.steps.map((_, index) => index));
  });

  test('has no text outside the picture, and none that overlaps another', () => {
    const { width, boxes } = textBoxes(svg);
    const outside = boxes.filter(({ left, right }) => left < 0 || right > width);
    const overlapping = boxes.flatMap((one, index) =>
      boxes
        .slice(index + 1)
        .filter((other) => overlap(one, other))
        .map((other) => [one.words, other.words]),
    );
    expect({ outside, overlapping }).toEqual({ outside: [], overlapping: [] });
    expect(boxes.length).toBeGreaterThan(diagram.steps.length);
  });

  test('has no arrow through a text', () => {
    const arrows = arrowAreas(svg);
    expect(arrows).toHaveLength(diagram.steps.filter(({ kind }) => kind !== 'note').length);
    const crossed = textBoxes(svg).boxes.filter((box) => arrows.some((area) => overlap(box, area)));
    expect(crossed.map(({ words }) => words)).toEqual([]);
  });
});
