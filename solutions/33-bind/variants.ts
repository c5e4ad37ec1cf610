/** Schedulers that are built otherwise than the reference and right all the same: no test may mind. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'looks-at-its-clock',
    why: 'flushes the backoff many times a second, so that whoever waits is tried to the tenth of a second',
    edits: [['const FLUSH_BACKOFF_MS = 1_000;', 'const FLUSH_BACKOFF_MS = 50;']],
  },
  {
    id: 'takes-its-time',
    why: 'comes back for the next pod a while after the last one, as who polls its queue would',
    edits: [
      [
        '      const info = await queue.pop();\n',
        '      await this.#context.clock.sleep(17, signal).catch(() => {});\n      const info = await queue.pop();\n',
      ],
    ],
  },
  {
    id: 'one-big-list',
    why: 'keeps whoever waits in no order at all, and looks for the first among all of them each time',
    edits: [
      [
        '  peek(): QueuedPodInfo | undefined {\n    return this.#items[0]?.info;',
        '  peek(): QueuedPodInfo | undefined {\n    let [first] = this.#items;\n    for (const item of this.#items) if (first && this.#goesBefore(item, first)) first = item;\n    return first?.info;',
      ],
      [
        'if (index === 0 || !above || !this.#goesBefore(item, above)) break;',
        'if (index >= 0 || !above) break;',
      ],
      ['if (!below || !this.#goesBefore(below, item)) break;', 'if (!below || index >= 0) break;'],
    ],
  },
  {
    id: 'always-asks',
    why: 'asks the server what became of each bind that failed, also where it was told',
    edits: [['    if (!mayBeBound(error)) return { live: info.pod, error };\n', '    void info;\n']],
  },
  {
    id: 'nothing-is-reused',
    why: 'makes each snapshot from nothing, with the nodes in another order',
    edits: [
      [
        '    if (nothingNew && among === this.#last.namespaces) return this.#last;\n    this.#last = new framework.Snapshot(this.#nodeInfos(), { namespaces: among, previous: this.#last });',
        '    void nothingNew;\n    this.#last = new framework.Snapshot([...this.#nodes.values()].toReversed(), { namespaces: among });\n    this.#positions = undefined;',
      ],
    ],
  },
  {
    id: 'writes-before-it-tells',
    why: 'writes the condition first, and tells of it by an event when that has come to an end, well or not',
    edits: [
      ["  recorder.event(current, 'Warning', 'FailedScheduling', truncateMessage(message));\n", ''],
      [
        '  const unschedulable = error instanceof FitError || error instanceof NoNodesAvailableError;\n  try {\n',
        "  const unschedulable = error instanceof FitError || error instanceof NoNodesAvailableError;\n  const tell = (): void => recorder.event(current, 'Warning', 'FailedScheduling', truncateMessage(message));\n  try {\n",
      ],
      [
        '  } catch (failure) {\n    if (signal.aborted) return;\n',
        '    tell();\n  } catch (failure) {\n    if (signal.aborted) return;\n    tell();\n',
      ],
    ],
  },
  {
    id: 'looks-before-it-binds',
    why: 'reads the pod once more before it binds it, and leaves it to the bind to fail if that cannot be done',
    edits: [
      [
        'await client.bind(keyOf(pod), nodeName, { uid: pod.metadata.uid });',
        'await (client as Client).get(pods, keyOf(pod)).catch(() => {});\n      await client.bind(keyOf(pod), nodeName, { uid: pod.metadata.uid });',
      ],
    ],
  },
];
