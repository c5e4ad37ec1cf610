import type { Mistake } from '#harness/testing';

/** Level 4 · Whose an address is, and release */
export const release: readonly Mistake[] = [
  {
    id: 'another-line-break',
    why: 'Separates container and interface by a line feed only: the host-local of the next update does not find the reservation.',
    misconception: 'You seem to believe that only your own program reads these files.',
    origin: 'common',
    law: 'Persists',
    edits: [[`\`\${containerID.trim()}\\r\\n\${ifname}\``, `\`\${containerID.trim()}\\n\${ifname}\``]],
  },
  {
    id: 'without-the-interface',
    why: 'Records only the container: the DEL of its second interface releases the address of the first.',
    misconception: 'You seem to believe that a container has only one interface.',
    origin: 'host-local until 0.7',
    law: 'Persists',
    edits: [[`\`\${containerID.trim()}\\r\\n\${ifname}\``, `\`\${containerID.trim()}\${ifname.slice(99)}\``]],
  },
  {
    id: 'begins-alike',
    why: 'Confuses pod-1 and pod-10, because one name is a prefix of the other.',
    misconception: 'You seem to believe that two names that begin alike are the same.',
    origin: 'common: startsWith',
    law: 'Persists',
    edits: [
      [
        'await this.#removeWhere((text, name) => text === textOf(owner) && !names.has(name));',
        'await this.#removeWhere((text, name) => text.startsWith(owner.containerID.trim()) && !names.has(name));',
      ],
    ],
  },
  {
    id: 'releases-all-interfaces',
    why: 'The DEL of one interface releases all addresses of its container.',
    misconception: 'You seem to believe that a DEL means the whole container.',
    origin: 'host-local until 0.7',
    law: 'Persists',
    edits: [
      [
        'await this.#removeWhere((text, name) => text === textOf(owner) && !names.has(name));',
        "await this.#removeWhere((text, name) => text.split('\\r\\n')[0] === owner.containerID.trim() && !names.has(name));",
      ],
    ],
  },
  {
    id: 'finds-all-interfaces',
    why: 'An address of one interface counts for another: the second interface of a container gets none.',
    misconception: 'You seem to believe that an address belongs to the whole container.',
    origin: 'host-local until 0.7',
    law: 'Checks',
    edits: [
      [
        'this.#namesWhere((text) => text === textOf(owner));',
        "this.#namesWhere((text) => text.split('\\r\\n')[0] === owner.containerID.trim());",
      ],
    ],
  },
  {
    id: 'first-only',
    why: 'Releases only the first address that it finds: a pod with IPv4 and IPv6 leaves one reserved.',
    misconception: 'You seem to believe that an attachment holds only one address.',
    origin: 'common',
    law: 'Releases',
    edits: [
      [
        'for (const name of await this.#namesWhere(matches)) await this.#files.removeAll(this.#path(name));',
        'for (const name of (await this.#namesWhere(matches)).slice(0, 1)) await this.#files.removeAll(this.#path(name));',
      ],
    ],
  },
  {
    id: 'forgets-the-last',
    why: 'Removes the file with the last address together with the reservation: the released address is allocated next.',
    misconception: 'You seem to believe that every file that names an address is part of its reservation.',
    origin: 'common',
    law: 'Round robin',
    edits: [
      [
        "if (name === 'lock' || name.startsWith(LAST)) continue;\n",
        "if (name === 'lock') continue;\n      if (name.startsWith(LAST)) {\n        if (matches('', name)) found.push(name);\n        continue;\n      }\n",
      ],
      [
        'text === textOf(owner) && !names.has(name));',
        '(text === textOf(owner) && !names.has(name)) || name.startsWith(LAST));',
      ],
    ],
  },
  {
    id: 'by-name-of-the-container',
    why: 'Uses one directory for all networks: a container loses its address in one network when it leaves another.',
    misconception: 'You seem to believe that a container is in only one network.',
    origin: 'common',
    law: 'Separate networks',
    edits: [
      [
        'new Store(request.process.files, configuration.directory)',
        "new Store(request.process.files, '/var/lib/cni/networks/cbr0')",
      ],
    ],
  },
];
