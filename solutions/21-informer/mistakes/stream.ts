/** Level 6 · The streaming list. */
import type { Mistake } from '#harness/testing';

export const stream: readonly Mistake[] = [
  {
    id: 'key-is-the-name',
    why: 'Two objects with the same name in different namespaces count as one.',
    origin: 'common',
    law: 'Converges',
    edits: [
      [
        'objects.set(metaNamespaceKeyFunc(event.object), event.object)',
        'objects.set(event.object.metadata.name, event.object)',
      ],
      ['objects.delete(metaNamespaceKeyFunc(event.object))', 'objects.delete(event.object.metadata.name)'],
    ],
  },
  {
    id: 'hands-on-before-the-bookmark',
    why: 'Each object is passed on as it arrives: the informer counts as synced after the first.',
    origin: 'common',
    law: 'Synced means synced',
    edits: [
      [
        'objects.set(metaNamespaceKeyFunc(event.object), event.object);',
        `{
        objects.set(metaNamespaceKeyFunc(event.object), event.object);
        this.#options.queue.push({ type: 'Added', object: event.object });
      }`,
      ],
    ],
  },
  {
    id: 'half-a-list-is-a-list',
    why: 'A stream that ended before the bookmark counts as a complete list: the missing objects are reported as deleted.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'this.#throwIfShort(count, startedMs);\n    return undefined;',
        `this.#throwIfShort(count, startedMs);
    return { type: 'ReplacedAll', objects: [...objects.values()], resourceVersion: this.lastSyncResourceVersion };`,
      ],
    ],
  },
  {
    id: 'keeps-half-a-list',
    why: 'The objects from a broken stream are added to the next list, even if they no longer exist.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        '  constructor(options: ReflectorOptions<T>) {',
        '  #streamed = new Map<string, T>();\n\n  constructor(options: ReflectorOptions<T>) {',
      ],
      ['const objects = new Map<string, T>();', 'const objects = this.#streamed;'],
      [
        "return { type: 'ReplacedAll', objects: [...objects.values()], resourceVersion };",
        "this.#streamed = new Map();\n        return { type: 'ReplacedAll', objects: [...objects.values()], resourceVersion };",
      ],
    ],
  },
  {
    id: 'keeps-what-it-streamed',
    why: 'Each list contains the objects of the earlier lists: objects that were deleted in between reappear.',
    origin: 'common',
    law: 'No ghosts',
    edits: [
      [
        '  constructor(options: ReflectorOptions<T>) {',
        '  readonly #streamed = new Map<string, T>();\n\n  constructor(options: ReflectorOptions<T>) {',
      ],
      ['const objects = new Map<string, T>();', 'const objects = this.#streamed;'],
    ],
  },
  {
    id: 'any-bookmark-ends-the-list',
    why: 'The first bookmark of any kind ends the list.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'Before the end of the list, a server sends no other bookmark.',
    edits: [
      ['if (isInitialEventsEnd(event)) {', "if (isInitialEventsEnd(event) || event.type === 'BOOKMARK') {"],
    ],
  },
  {
    id: 'bookmark-is-an-object',
    why: 'A bookmark that does not end the list is added to it as an object.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'Before the end of the list, a server sends no other bookmark.',
    edits: [["else if (event.type !== 'BOOKMARK') objects.set(", 'else objects.set(']],
  },
  {
    id: 'list-keeps-the-deleted',
    why: 'An object that is deleted during the streaming list stays in the list.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'This server streams the state of one version, and later changes after the bookmark.',
    edits: [
      [
        "if (event.type === 'DELETED') objects.delete(metaNamespaceKeyFunc(event.object));\n      else if",
        'if',
      ],
    ],
  },
  {
    id: 'list-of-strangers',
    why: 'The list includes objects of any kind.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'A server sends only objects of the requested kind.',
    edits: [
      [
        'if (event.object.kind !== resource.kind) continue;\n      if (isInitialEventsEnd',
        'if (isInitialEventsEnd',
      ],
    ],
  },
  {
    id: 'stream-error-ignored',
    why: 'An `ERROR` event during the list is ignored: the same request is sent again.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        "const event = next.value;\n      if (event.type === 'ERROR') throw new StatusError(event.object);",
        "const event = next.value;\n      if (event.type === 'ERROR') continue;",
      ],
    ],
  },
  {
    id: 'list-closes-its-stream',
    why: 'The loop that reads the list closes the stream, and the watch cannot continue on it.',
    origin: 'common',
    law: 'Frugal',
    edits: [
      [
        'for (let next = await events.next(); !next.done; next = await events.next()) {\n      const event = next.value;',
        'for await (const event of { [Symbol.asyncIterator]: () => events }) {',
      ],
    ],
  },
  {
    id: 'list-version-of-the-newest-object',
    why: 'The list has the version of its newest object, not that of the bookmark.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'const { resourceVersion } = event.object.metadata;\n        return {',
        `const versions = [...objects.values()].map(({ metadata }) => Number(metadata.resourceVersion));
        const resourceVersion = String(Math.max(...versions, objects.size === 0 ? Number(event.object.metadata.resourceVersion) : 0));
        return {`,
      ],
    ],
  },
  {
    id: 'short-streams-in-a-row',
    why: 'If a streaming list ends at once, the next one starts without a back-off, in a hot loop.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'this.#throwIfShort(count, startedMs);\n    return undefined;',
        'if (count < 0) this.#throwIfShort(count, startedMs);\n    return undefined;',
      ],
    ],
  },
  {
    id: 'empty-stream-is-no-list',
    why: 'An empty list is requested again and again.',
    origin: 'common',
    law: 'Synced means synced',
    edits: [['if (isInitialEventsEnd(event)) {', 'if (isInitialEventsEnd(event) && objects.size > 0) {']],
  },
  {
    id: 'streams-from-0',
    why: 'It streams from any state of the server, although a newer one may exist.',
    origin: 'common; a list asks so',
    law: 'Level 6',
    hidden: "Only the first stream starts at 0, and a first list can be as old as the server's cache.",
    edits: [
      [
        "const from = this.isLastSyncResourceVersionUnavailable ? '' : this.lastSyncResourceVersion;",
        'const from = this.relistResourceVersion();',
      ],
    ],
  },
  {
    id: 'streams-the-newest',
    why: 'Each streaming list waits for the latest version, although any version from its own on would be enough.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'The watch cache also serves the latest version: a stream of it has the same content.',
    edits: [
      [
        "const from = this.isLastSyncResourceVersionUnavailable ? '' : this.lastSyncResourceVersion;",
        "const from = '' as string;",
      ],
    ],
  },
  {
    id: 'streams-what-is-unavailable',
    why: 'It requests the refused version again and again, without a back-off.',
    origin: 'k#133810',
    law: 'Level 6',
    edits: [
      [
        "const from = this.isLastSyncResourceVersionUnavailable ? '' : this.lastSyncResourceVersion;",
        'const from = this.lastSyncResourceVersion;',
      ],
    ],
  },
  {
    id: 'newest-refused-and-asks-again',
    why: 'If even the latest version is refused, it retries at once, in a hot loop.',
    origin: 'client-go does this',
    law: 'Level 6',
    hidden: 'No server keeps refusing the latest version, and upstream retries at once, too.',
    edits: [["else if (isUnavailable(error) && from !== '')", 'else if (isUnavailable(error))']],
  },
  {
    id: 'refused-version-means-list',
    why: 'If the version of a streaming list is refused, it falls back to a list, which is refused, too.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'After that, the list uses the latest version, with the same result.',
    edits: [
      [
        "else if (isUnavailable(error) && from !== '') this.isLastSyncResourceVersionUnavailable = true;\n        else throw error;",
        'else throw error;',
      ],
    ],
  },
  {
    id: 'busy-stream-means-list',
    why: 'If a server is too busy for a stream, it requests a whole list instead.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'if (isAway(error)) await this.#pause(error, signal);',
        'if (isConnectionRefused(error)) await this.#pause(error, signal);',
      ],
    ],
  },
  {
    id: 'refused-stream-waits-not',
    why: 'A refused streaming list is retried without a back-off.',
    origin: 'k#87794',
    law: 'Calm',
    edits: [['if (isAway(error)) await this.#pause(error, signal);', 'if (isAway(error)) continue;']],
  },
  {
    id: 'stream-left-open',
    why: 'The stream of the list is not closed when the informer stops.',
    origin: 'common',
    law: 'Quiet at the end',
    edits: [
      [
        'listerWatcher.watchList(from, signal)',
        'listerWatcher.watchList(from, new AbortController().signal)',
      ],
    ],
  },
];
