/** Level 6 · The streaming list. */
import type { Mistake } from '#harness/testing';

export const stream: readonly Mistake[] = [
  {
    id: 'key-is-the-name',
    why: 'Two objects of one name in two namespaces are one object to this list.',
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
    why: 'Each object is handed on as it comes: the informer has synced when it has the first.',
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
    why: 'A stream that ended before the bookmark gives a list of what it had: the rest is reported deleted.',
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
    why: 'What a stream brought that broke goes into the next list, whether or not it is still there.',
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
    why: 'Each list has the objects of the lists before it: what was deleted between comes back.',
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
    why: 'It takes the first bookmark for the one that ends the list.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'Before the list is whole, a server sends no other bookmark.',
    edits: [
      ['if (isInitialEventsEnd(event)) {', "if (isInitialEventsEnd(event) || event.type === 'BOOKMARK') {"],
    ],
  },
  {
    id: 'bookmark-is-an-object',
    why: 'A bookmark that does not end the list goes into it as an object.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'Before the list is whole, a server sends no other bookmark.',
    edits: [["else if (event.type !== 'BOOKMARK') objects.set(", 'else objects.set(']],
  },
  {
    id: 'list-keeps-the-deleted',
    why: 'An object that is deleted while the list is being streamed is in the list.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'This server sends the state of one version, and the changes after the bookmark.',
    edits: [
      [
        "if (event.type === 'DELETED') objects.delete(metaNamespaceKeyFunc(event.object));\n      else if",
        'if',
      ],
    ],
  },
  {
    id: 'list-of-strangers',
    why: 'It takes whatever comes into the list, of whatever kind.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'A server sends objects of the kind that was asked for.',
    edits: [
      [
        'if (event.object.kind !== resource.kind) continue;\n      if (isInitialEventsEnd',
        'if (isInitialEventsEnd',
      ],
    ],
  },
  {
    id: 'stream-error-ignored',
    why: 'An `ERROR` in the list is passed over: the server is asked the same again.',
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
    why: 'The loop that takes in the list closes the stream behind it, and the watch has nothing to go on with.',
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
    why: 'The list has the version of its newest object, and not that of the bookmark.',
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
    why: 'Where a streaming list ends as soon as it is open, it asks for the next, as fast as it can.',
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
    why: 'A list without objects is asked for again, for ever.',
    origin: 'common',
    law: 'Synced means synced',
    edits: [['if (isInitialEventsEnd(event)) {', 'if (isInitialEventsEnd(event) && objects.size > 0) {']],
  },
  {
    id: 'streams-from-0',
    why: 'It streams any state that the server has at hand, although there may be a newer one.',
    origin: 'common; a list asks so',
    law: 'Level 6',
    hidden: 'Only the first stream is asked for at 0, and a first list may be as old as the server has it.',
    edits: [
      [
        "const from = this.isLastSyncResourceVersionUnavailable ? '' : this.lastSyncResourceVersion;",
        'const from = this.relistResourceVersion();',
      ],
    ],
  },
  {
    id: 'streams-the-newest',
    why: 'Each streaming list waits for the newest version, although one that is not older than its own would do.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'The newest version comes out of the watch cache, too: a stream of it brings the same.',
    edits: [
      [
        "const from = this.isLastSyncResourceVersionUnavailable ? '' : this.lastSyncResourceVersion;",
        "const from = '' as string;",
      ],
    ],
  },
  {
    id: 'streams-what-is-unavailable',
    why: 'It asks for the version that was refused, at once and again and again.',
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
    why: 'When even the newest version is refused, it asks again at once, as fast as it can.',
    origin: 'client-go does this',
    law: 'Level 6',
    hidden: 'No server refuses the newest version again and again; and upstream asks again at once, too.',
    edits: [["else if (isUnavailable(error) && from !== '')", 'else if (isUnavailable(error))']],
  },
  {
    id: 'refused-version-means-list',
    why: 'A streaming list whose version is refused gives way to a list, which is refused, too.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'The list asks for the newest version after that, and brings the same.',
    edits: [
      [
        "else if (isUnavailable(error) && from !== '') this.isLastSyncResourceVersionUnavailable = true;\n        else throw error;",
        'else throw error;',
      ],
    ],
  },
  {
    id: 'busy-stream-means-list',
    why: 'It asks a server that is too busy for a stream to make a whole list instead.',
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
    why: 'A streaming list that is refused is asked for again at once.',
    origin: 'k#87794',
    law: 'Calm',
    edits: [['if (isAway(error)) await this.#pause(error, signal);', 'if (isAway(error)) continue;']],
  },
  {
    id: 'stream-left-open',
    why: 'The stream that the list came by is not closed when the informer is stopped.',
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
