import { describe, expect, test } from 'vitest';
import { itemsOf, patternsIn, roomOf } from './prose.ts';
import { listSources } from './sources.ts';

/**
 * The largest share of items with a sign of unnatural English, in percent, by room. A limit only goes down: lower it
 * when a room has become better.
 */
const LIMITS: Readonly<Record<string, number>> = {
  harness: 2,
  'harness/api': 1,
  'harness/apiserver': 2,
  'harness/cli': 2,
  'harness/client': 2,
  'harness/cluster': 1,
  'harness/drawing': 1,
  'harness/faults': 2,
  'harness/kubectl': 0,
  'harness/kubelet': 2,
  'harness/mount': 2,
  'harness/node': 1,
  'harness/serving': 0,
  'harness/testing': 2,
  'katas/21-informer': 4,
  'katas/22-workqueue': 4,
  'katas/31-filter': 4,
  'katas/32-score': 4,
  'katas/33-bind': 4,
  'katas/41-kubelet': 4,
  'katas/42-probes': 4,
  'katas/43-images': 4,
  'katas/51-ipam': 4,
  solutions: 0,
  'solutions/21-informer': 2,
  'solutions/22-workqueue': 0,
  'solutions/24-deployment': 1,
  'solutions/25-garbage-collector': 2,
  'solutions/31-filter': 2,
  'solutions/32-score': 2,
  'solutions/33-bind': 1,
  'solutions/41-kubelet': 2,
  'solutions/43-images': 1,
  'solutions/44-volumes': 2,
  'solutions/51-ipam': 2,
  'solutions/54-service-proxy': 2,
  'solutions/55-dns': 2,
  'solutions/56-node-ipam': 2,
};

/** The largest share in any other room, in percent. */
const LIMIT = 3;

describe('The items of a file', () => {
  const itemsIn = (file: string, text: string) => itemsOf({ file, text }).map((item) => item.text);

  test('are comments, their tags, and test titles', () => {
    const text = `
      /**
       * Returns the words of a line.
       *
       * @param line - a line that a person typed
       * @example what a person typed here
       *
       * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go syncPod
       */
      // The first reason
      // stands on two lines.
      // biome-ignore lint/a/b: a reason for a tool
      test('returns the words of a line', () => {});`;
    expect(itemsIn('a.ts', text)).toEqual([
      'Returns the words of a line.',
      'a line that a person typed',
      'The first reason stands on two lines.',
      'returns the words of a line',
    ]);
  });

  test('are messages in rooms that write their own', () => {
    const text = 'fail(`the pod $' + "{name(pod)} runs on a node`, 'too short');";
    expect(itemsIn('harness/laws/a.ts', text)).toEqual(['the pod x runs on a node']);
    expect(itemsIn('harness/apiserver/a.ts', text)).toEqual([]);
  });

  test('are the paragraphs, rows and list entries of a Markdown file, without code', () => {
    const text = [
      '# A title of four words',
      '',
      'A paragraph that says `what a thing is`',
      'on two lines.',
      '',
      '- the first entry of a list',
      '- the second entry of a list',
      '',
      '```ts',
      'what is in a code block',
      '```',
    ].join('\n');
    expect(itemsIn('a.md', text)).toEqual([
      'A title of four words',
      'A paragraph that says x on two lines.',
      'the first entry of a list',
      'the second entry of a list',
    ]);
  });
});

describe('A pattern', () => {
  const namesIn = (text: string) => patternsIn({ file: '', text }).map(({ name }) => name);

  test.each([
    ['What is due comes first', 'a clause with "what" in place of a noun'],
    ['The pod of which it reports', '"of which", "to whom"'],
    ['The kubelet tells the server', '"tell" in place of report, notify or list'],
    ['This is no pod', 'a negated noun, as in "it is no Pod"'],
    ['Returns those that run', '"one that", "those that", "nothing that"'],
    ['The Pod is to run', '"is to be"'],
    ['if there is nothing', '"that there is", "there is nothing"'],
    ['Of two Pods the list says nothing, the older wins', 'a phrase before the subject'],
    ['It waits so long', '"so long", "so much" without "as" or "that"'],
    ['The Pod, as the server has it', '"as the server has it"'],
    ['The name is made anew', 'a literary word'],
    ['The kubelet is asked', 'a passive without an actor'],
  ])('matches "%s"', (text, name) => expect(namesIn(text)).toContain(name));

  test.each([
    'What if the Pod is gone?',
    'There is no longer a Pod',
    'A Pod that is not ready is no match',
    'As long as the Pod runs, so long as it is ready',
    'Returns the Pods that run',
  ])('does not match "%s"', (text) => expect(namesIn(text)).toEqual([]));
});

describe('The prose of the project', () => {
  const all = listSources('', '.ts', '.tsx', '.mjs', '.md').flatMap(itemsOf);
  const rooms = [...new Set(all.map(({ file }) => roomOf(file)))];

  test('has a room for each limit', () =>
    expect(Object.keys(LIMITS).filter((room) => !rooms.includes(room))).toEqual([]));

  test.each(rooms)('stays below the limit in %s', (room) => {
    const items = all.filter(({ file }) => roomOf(file) === room);
    const odd = items.filter((item) => patternsIn(item).length > 0);
    const share = (100 * odd.length) / items.length;
    const limit = LIMITS[room] ?? LIMIT;
    const lowest = Math.ceil(share);
    const shown = odd.map((item) => `${item.file}: "${item.text}" has ${patternsIn(item)[0]?.name}`);
    expect(
      share,
      `${odd.length} of ${items.length} items read unnaturally, more than ${limit} %. One of these is new:\n${shown.join('\n')}`,
    ).toBeLessThanOrEqual(limit);
    if (room in LIMITS)
      expect(limit - lowest, `lower the limit of ${room} to ${lowest}`).toBeLessThanOrEqual(1);
  });
});
