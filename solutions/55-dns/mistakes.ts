import type { Mistake } from '#harness/testing';

/** The laws alone kill each mistake. */
export const lawsSuffice = true;

/**
 * Wrong name servers, each made by one or two edits of the reference. Paths are in coredns/coredns@v1.14.2; `k#` is an
 * issue or pull request of kubernetes/kubernetes.
 */
export const mistakes: readonly Mistake[] = [
  {
    id: 'denies-before-it-knows',
    why: 'A restarted name server answers NXDOMAIN for every service, and clients cache it.',
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
    why: 'The server counts as synced when it has observed the services: names of headless services get NXDOMAIN until their slices arrive.',
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
    why: 'The server does not wait for the namespaces: all names in them get NXDOMAIN until they arrive.',
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
    why: 'A name without an address of the other family gets NXDOMAIN, and clients that ask for both families fail.',
    origin: 'the trap of NXDOMAIN for AAAA; RFC 8020 and RFC 4074, 4.2',
    law: 'Steady',
    edits: [
      ["rcode: records ? 'NOERROR' :", "rcode: records && (found.length > 0 || leadsOut) ? 'NOERROR' :"],
    ],
  },
  {
    id: 'not-ready-is-told',
    why: 'The addresses of a headless service include endpoints that do not accept traffic.',
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
    why: 'An endpoint without the condition `ready` is left out, although in the API nil means ready.',
    origin: 'plugin/kubernetes/object/endpoint.go endpointsliceReady',
    law: 'Steady',
    edits: [['conditions?.ready !== false', 'conditions?.ready === true']],
  },
  {
    id: 'first-slice-only',
    why: "Only the first of a service's slices is read.",
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
    why: 'Slices are found only by the name of their service, so a service also gets the endpoints of a service with the same name in another namespace.',
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
    why: 'The name of a slice is taken as the name of its service.',
    origin: 'Endpoints are; slices have a label instead',
    law: 'Steady',
    edits: [["return metadata.labels?.[SERVICE_NAME] ?? '';", 'return metadata.name;']],
  },
  {
    id: 'spelling-counts',
    why: 'A name in uppercase does not exist, but some clients randomize the case on purpose.',
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
    why: "A headless service without endpoints has a name without addresses, and the client's search path ends there.",
    origin: 'errNoItems of plugin/kubernetes/kubernetes.go',
    law: 'Converges',
    edits: [['return all.length > 0 ? all : undefined;', 'return all;']],
  },
  {
    id: 'protocol-is-ignored',
    why: 'A port is found by its name alone: `_dns._tcp` also finds a UDP port.',
    origin: 'matchPortAndProtocol of plugin/kubernetes/kubernetes.go',
    law: 'Converges',
    edits: [
      [
        "(wanted.protocol === '' || protocol.toLowerCase() === wanted.protocol)",
        "(wanted.protocol === '' || protocol.toLowerCase() !== '')",
      ],
    ],
  },
  {
    id: 'hostname-is-ignored',
    why: 'An endpoint is named by its address even if it has a hostname: `db-0.db` of a StatefulSet does not exist.',
    origin: 'plugin/kubernetes/kubernetes.go endpointHostname',
    law: 'Converges',
    edits: [
      [
        "return hostname || address.replace(/[.:]/g, '-')",
        "void hostname;\n  return address.replace(/[.:]/g, '-')",
      ],
    ],
  },
  {
    id: 'only-headless-have-endpoints',
    why: 'The endpoints of a service with a cluster IP have no names.',
    origin: 'the condition `svc.Headless() || r.endpoint != ""` of plugin/kubernetes/kubernetes.go',
    law: 'Converges',
    edits: [["if (isHeadless(service) || endpoint !== '') return", 'if (isHeadless(service)) return']],
  },
  {
    id: 'alias-alone',
    why: 'The answer contains an alias without the address of its target. The client must ask again, and many clients do not.',
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
    why: 'The target of an alias outside the cluster is not resolved.',
    origin: 'plugin/kubernetes without its option `upstream`, which was once there to be forgotten',
    law: 'Steady',
    edits: [['answer: [...alias.records, ...found.answer]', 'answer: [...alias.records]']],
  },
  {
    id: 'services-only-backwards',
    why: 'Only the addresses of services have names, not those of endpoints.',
    origin: 'plugin/kubernetes/reverse.go serviceRecordForIP, its first half',
    law: 'Converges',
    edits: [['const names = view.slicesAt(address)', "const names = view.slicesAt('')"]],
  },
  {
    id: 'wrong-name-backwards',
    why: 'The PTR name of an address is always made of the address, even if the endpoint has a hostname, so that the name does not exist.',
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
    why: 'The targets of SRV records come without their addresses: each client sends another question for each target.',
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
    why: 'Names of the cluster that do not exist are forwarded to other servers: each typo, and each step of the search path.',
    origin: 'the option `fallthrough` without zones',
    law: 'Converges',
    edits: [
      [
        'if (!records && settings.fallthrough.some((each) => isSubdomain(name, each))) return undefined;',
        'if (!records && hasSynced) return undefined;',
      ],
    ],
  },
  {
    id: 'remembers-for-ever',
    why: 'Answers are cached, and do not reflect later changes.',
    origin: 'the plugin `cache` in front of the cluster zone, which kubeadm turns off there since 1.36',
    law: 'Converges',
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
    why: "Records have the plugin's default TTL, regardless of the Corefile.",
    origin: 'the option `ttl`',
    law: 'Converges',
    edits: [
      [
        'this.#settings = { zones, ttl, pods: podNames, fallthrough };',
        'void ttl;\n    this.#settings = { zones, ttl: DEFAULT_TTL, pods: podNames, fallthrough };',
      ],
    ],
  },
  {
    id: 'any-namespace',
    why: 'Every address has a name in every namespace, even in namespaces that do not exist.',
    origin: 'plugin/kubernetes/handler_pod_insecure_test.go',
    law: 'Converges',
    edits: [
      [
        '  if (!view.hasNamespace(namespace)) return undefined;\n',
        "  if (!view.hasNamespace(namespace) && kind !== 'pod') return undefined;\n",
      ],
    ],
  },
  {
    id: 'forgets-what-it-knew',
    why: 'After a broken watch, the server no longer counts as synced: names that do not exist get SERVFAIL for a while, and clients ask the next server.',
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
