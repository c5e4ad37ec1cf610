import type { Mistake } from '#harness/testing';

/** Each of them dies of the laws alone. */
export const lawsSuffice = true;

/**
 * Name servers that are wrong, each by a change or two of the reference. A path is one of coredns/coredns@v1.14.2, `k#` an issue or pull
 * request of kubernetes/kubernetes.
 */
export const mistakes: readonly Mistake[] = [
  {
    id: 'denies-before-it-knows',
    why: 'A name server that has just started says of every service that there is none, and clients remember it.',
    origin:
      'the reason for SERVFAIL until all is synced; plugin/kubernetes/handler_test.go TestNotSyncedServeDNS',
    law: 'Never denies',
    edits: [
      [
        "rcode: records ? 'NOERROR' : hasSynced ? 'NXDOMAIN' : 'SERVFAIL',",
        "rcode: records ? 'NOERROR' : 'NXDOMAIN',",
      ],
    ],
  },
  {
    id: 'synced-without-endpoints',
    why: 'It counts as synced when it has seen the services: the names of headless ones are denied until their endpoints come.',
    origin: 'a hasSynced that asks one informer of three',
    law: 'Never denies',
    edits: [
      [
        'const all = [this.#services, this.#slices, this.#namespaces, this.#pods];',
        'const all = [this.#services, this.#namespaces, this.#pods];',
      ],
    ],
  },
  {
    id: 'synced-without-namespaces',
    why: 'It does not wait for the namespaces: each name in them is denied until they come.',
    origin: 'a hasSynced that asks two informers of three',
    law: 'Never denies',
    edits: [
      [
        'const all = [this.#services, this.#slices, this.#namespaces, this.#pods];',
        'const all = [this.#services, this.#slices, this.#pods];',
      ],
    ],
  },
  {
    id: 'no-data-is-no-name',
    why: 'A name without an address of the other family does not exist: clients that ask for both give up.',
    origin: 'the trap of NXDOMAIN for AAAA; RFC 8020 and RFC 4074, 4.2',
    law: 'Steady',
    edits: [
      ["rcode: records ? 'NOERROR' :", "rcode: records && (found.length > 0 || leadsOut) ? 'NOERROR' :"],
    ],
  },
  {
    id: 'not-ready-is-told',
    why: 'The addresses of a headless service include endpoints that do not take traffic.',
    origin: 'k#54723',
    law: 'Invents nothing',
    edits: [
      [
        '.filter(({ conditions }) => conditions?.ready !== false)\n    .flatMap(({ addresses, hostname }) =>',
        '.flatMap(({ addresses, hostname }) =>',
      ],
    ],
  },
  {
    id: 'unknown-is-not-ready',
    why: 'An endpoint that does not say whether it is ready is left out: a nil in the API stands for ready.',
    origin: 'plugin/kubernetes/object/endpoint.go endpointsliceReady',
    law: 'Steady',
    edits: [['conditions?.ready !== false', 'conditions?.ready === true']],
  },
  {
    id: 'first-slice-only',
    why: 'Of a service with several slices only the first is read.',
    origin: 'what Endpoints, one object a service, allowed',
    law: 'Steady',
    edits: [
      [
        "return this.#slices.indexer.byIndex('service', keyOf(namespace, service));",
        "return this.#slices.indexer.byIndex('service', keyOf(namespace, service)).slice(0, 1);",
      ],
    ],
  },
  {
    id: 'slices-of-any-namespace',
    why: 'Slices are found by the name of their service alone: a service of another namespace lends its endpoints.',
    origin: 'an index without the namespace',
    law: 'Invents nothing',
    edits: [
      [
        'service: (slice) => [keyOf(slice.metadata.namespace, serviceOf(slice))],',
        'service: (slice) => [serviceOf(slice)],',
      ],
      [
        "return this.#slices.indexer.byIndex('service', keyOf(namespace, service));",
        "void namespace;\n    return this.#slices.indexer.byIndex('service', service);",
      ],
    ],
  },
  {
    id: 'slices-by-name',
    why: 'A slice is taken to be called like its service.',
    origin: 'Endpoints are; slices have a label instead',
    law: 'Steady',
    edits: [["return metadata.labels?.[SERVICE_NAME] ?? '';", 'return metadata.name;']],
  },
  {
    id: 'spelling-counts',
    why: 'A name in capitals does not exist; some clients spell names at random on purpose.',
    origin: 'plugin/kubernetes/handler_case_test.go TestPreserveCase',
    law: 'Steady',
    edits: [
      [
        'const labels = labelsBelow(name.toLowerCase(), zone);\n  const [kind',
        'const labels = labelsBelow(name, zone);\n  const [kind',
      ],
    ],
  },
  {
    id: 'empty-is-there',
    why: 'A headless service that nothing is behind has a name without addresses, and a search for it ends there.',
    origin: 'errNoItems of plugin/kubernetes/kubernetes.go',
    law: 'At rest',
    edits: [['return all.length > 0 ? all : undefined;', 'return all;']],
  },
  {
    id: 'protocol-is-ignored',
    why: 'A port is found by its name alone: `_dns._tcp` leads to one of UDP.',
    origin: 'matchPortAndProtocol of plugin/kubernetes/kubernetes.go',
    law: 'At rest',
    edits: [
      [
        "(wanted.protocol === '' || protocol.toLowerCase() === wanted.protocol)",
        "(wanted.protocol === '' || protocol.toLowerCase() !== '')",
      ],
    ],
  },
  {
    id: 'hostname-is-ignored',
    why: 'An endpoint is called by its address, though it has a hostname: `db-0.db` of a StatefulSet does not exist.',
    origin: 'plugin/kubernetes/kubernetes.go endpointHostname',
    law: 'At rest',
    edits: [
      [
        "return hostname || address.replace(/[.:]/g, '-')",
        "void hostname;\n  return address.replace(/[.:]/g, '-')",
      ],
    ],
  },
  {
    id: 'only-headless-have-endpoints',
    why: 'The endpoints of a service with an address of its own have no names.',
    origin: 'the condition `svc.Headless() || r.endpoint != ""` of plugin/kubernetes/kubernetes.go',
    law: 'At rest',
    edits: [["if (isHeadless(service) || endpoint !== '') return", 'if (isHeadless(service)) return']],
  },
  {
    id: 'alias-alone',
    why: 'An alias comes without the address of its target, and the client has to ask again; many do not.',
    origin: 'plugin/backend_lookup.go A',
    law: 'Steady',
    edits: [
      [
        'if (further) return { alias: { ...further, records: [aliased, ...further.records] } };',
        'if (rest.length > 0) return { answer: [aliased] };\n  if (further) return { alias: { ...further, records: [aliased, ...further.records] } };',
      ],
    ],
  },
  {
    id: 'alias-leads-out-alone',
    why: 'The target of an alias that leads out of the cluster is not looked up.',
    origin: 'plugin/kubernetes without its option `upstream`, which was once there to be forgotten',
    law: 'Steady',
    edits: [['answer: [...alias.records, ...found.answer]', 'answer: [...alias.records]']],
  },
  {
    id: 'services-only-backwards',
    why: 'Only the addresses of services have names, those of endpoints have none.',
    origin: 'plugin/kubernetes/reverse.go serviceRecordForIP, its first half',
    law: 'At rest',
    edits: [['const names = view.slicesAt(address)', "const names = view.slicesAt('')"]],
  },
  {
    id: 'wrong-name-backwards',
    why: 'The name of an address is always made of the address, also where the endpoint is called otherwise: nothing has that name.',
    origin: 'endpointHostname used in one place and not in the other',
    law: 'There and back',
    edits: [
      [
        '.filter((each) => addressIn(each.address) === address)',
        '.filter((each) => addressIn(each.address) === address)\n        .map((each) => ({ address: each.address }))',
      ],
    ],
  },
  {
    id: 'ports-without-addresses',
    why: 'The targets of ports come without their addresses: each client asks once more for each.',
    origin: 'plugin/backend_lookup.go SRV',
    law: 'Complete',
    edits: [
      [
        'return { answer: [...answer.values()], additional: [...additional.values()] };',
        'return { answer: [...answer.values()], additional: [] };',
      ],
    ],
  },
  {
    id: 'everything-falls-through',
    why: 'Names of the cluster that do not exist are asked for outside, too: each typo and each step of the search path.',
    origin: 'the option `fallthrough` without zones',
    law: 'At rest',
    edits: [
      [
        'if (!records && settings.fallthrough.some((each) => isSubdomain(name, each))) return undefined;',
        'if (!records && hasSynced) return undefined;',
      ],
    ],
  },
  {
    id: 'remembers-for-ever',
    why: 'An answer is kept: what has changed since is not told.',
    origin: 'the plugin `cache` in front of the cluster zone, which kubeadm turns off there since 1.36',
    law: 'At rest',
    edits: [
      [
        '    const hasSynced = this.#view.hasSynced();\n    const answered = answer(question, { view: this.#view, settings: this.#settings, hasSynced });\n    return answered && this.#complete(answered);',
        '    const hasSynced = this.#view.hasSynced();\n    const key = JSON.stringify(question);\n    const answered = this.#kept.get(key) ?? answer(question, { view: this.#view, settings: this.#settings, hasSynced });\n    if (answered && hasSynced) this.#kept.set(key, answered);\n    return answered && this.#complete(answered);',
      ],
      [
        "  readonly #lookup: KubernetesDnsOptions['lookup'];\n",
        "  readonly #lookup: KubernetesDnsOptions['lookup'];\n  readonly #kept = new Map<string, Answer>();\n",
      ],
    ],
  },
  {
    id: 'own-time-to-live',
    why: "Records live as long as the plugin's default says, whatever the Corefile says.",
    origin: 'the option `ttl`',
    law: 'At rest',
    edits: [
      [
        'this.#settings = { zones, ttl, pods: podNames, fallthrough };',
        'void ttl;\n    this.#settings = { zones, ttl: DEFAULT_TTL, pods: podNames, fallthrough };',
      ],
    ],
  },
  {
    id: 'any-namespace',
    why: 'Every address has a name in every namespace, also in one that does not exist.',
    origin: 'plugin/kubernetes/handler_pod_insecure_test.go',
    law: 'At rest',
    edits: [
      [
        '  if (!view.hasNamespace(namespace)) return undefined;\n',
        "  if (!view.hasNamespace(namespace) && kind !== 'pod') return undefined;\n",
      ],
    ],
  },
  {
    id: 'forgets-what-it-knew',
    why: 'A watch that breaks off makes it doubt everything: names that do not exist fail for a while, and clients ask the next server.',
    origin: 'a hasSynced that is taken for a health check',
    law: 'Knows',
    edits: [
      [
        '    const answered = answer(question, { view: this.#view, settings: this.#settings, hasSynced });\n',
        '    const answered = answer(question, { view: this.#view, settings: this.#settings, hasSynced: hasSynced && this.#view.serial === this.#seen });\n    this.#seen = this.#view.serial;\n',
      ],
      [
        "  readonly #lookup: KubernetesDnsOptions['lookup'];\n",
        "  readonly #lookup: KubernetesDnsOptions['lookup'];\n  #seen = -1;\n",
      ],
    ],
  },
];
