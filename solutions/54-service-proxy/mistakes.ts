import type { Mistake } from '#harness/testing';

/** The laws alone kill each mistake. */
export const lawsSuffice = true;

/**
 * Wrong service proxies, each made by one or two edits of the reference. `k#` is an issue or pull request of
 * kubernetes/kubernetes.
 */
export const mistakes: readonly Mistake[] = [
  {
    id: 'forgets-what-failed',
    why: 'Changes count as applied as soon as they are read, even if they could not be applied.',
    origin: 'k#112604',
    law: 'Exact',
    edits: [
      ['      this.#needsAll = true;\n      throw error;', '      this.#book.settle();\n      throw error;'],
    ],
  },
  {
    id: 'starts-with-half-a-cache',
    why: 'A restarted proxy does not wait for services and endpoints, and removes the rules of services that it does not know yet.',
    origin: 'k#126468',
    law: 'Undisturbed',
    edits: [
      ['while (!registrations.every((each) => each.hasSynced()))', 'while (registrations.length === 0)'],
    ],
  },
  {
    id: 'tears-down-at-the-start',
    why: 'A restarted proxy removes all rules, and then writes them again.',
    origin: 'k#75360',
    law: 'Undisturbed',
    edits: [
      [
        '  queue.add(RULES);\n  await context.runWorkers',
        "  await tools.run(['iptables', '-t', 'nat', '-F', 'KUBE-SERVICES']).catch(() => {});\n  queue.add(RULES);\n  await context.runWorkers",
      ],
    ],
  },
  {
    id: 'flushes-all-tables',
    why: 'The rules are restored without --noflush, which deletes the rules of other programs.',
    origin: 'common',
    law: 'Tidy',
    edits: [["'--noflush', '--counters'", "'--counters'"]],
  },
  {
    id: 'asks-chance-first',
    why: 'The random rules come before the session affinity rules, which never match.',
    origin: 'common',
    law: 'Sticky',
    edits: [
      [
        '      ...(seconds === undefined ? [] : endpoints.map(known)),\n      ...endpoints.map((each, i) => jump(each, chanceOf(endpoints.length - i))),',
        '      ...endpoints.map((each, i) => jump(each, chanceOf(endpoints.length - i))),\n      ...(seconds === undefined ? [] : endpoints.map(known)),',
      ],
    ],
  },
  {
    id: 'affinity-to-all',
    why: 'With session affinity, clients return to endpoints that are no longer usable.',
    origin: 'k#106030',
    law: 'Returning',
    edits: [
      [
        '    const all = endpointsOf(slices, port, circumstances.node);\n      return { port, all, rules: rulesOf(port, chooseEndpoints(all, port, circumstances), circumstances) };',
        '    const all = endpointsOf(slices, port, circumstances.node);\n      const choice = chooseEndpoints(all, port, circumstances);\n      const sticky = port.affinitySeconds !== undefined && choice.cluster.length > 0;\n      return { port, all, rules: rulesOf(port, sticky ? { ...choice, cluster: all, reachable: all } : choice, circumstances) };',
      ],
    ],
  },
  {
    id: 'ghost-shadows-pod',
    why: 'If two slices contain an address, the last one wins, even if its pod is terminating.',
    origin: 'k#135593',
    law: 'Exact',
    edits: [['worth(endpoint) > worth(known)', 'worth(endpoint) >= 0']],
  },
  {
    id: 'drops-those-that-drain',
    why: 'If no endpoint is ready, endpoints that still serve while they terminate are not used.',
    origin: 'common',
    law: 'Exact',
    edits: [['return isServing && isTerminating;', 'return isServing && isTerminating && false;']],
  },
  {
    id: 'drains-beside-ready-ones',
    why: 'Terminating endpoints get new connections while they serve, even if others are ready.',
    origin: 'k#54723',
    law: 'Exact',
    edits: [['    isReady: conditions.ready ?? true,', '    isReady: conditions.serving ?? true,']],
  },
  {
    id: 'unequal-chances',
    why: 'Each of n rules matches 1/n of the packets that reach it, so that the first endpoint gets the most.',
    origin: 'common',
    law: 'Fair',
    edits: [
      [
        'chanceOf(endpoints.length - i)',
        'i === endpoints.length - 1 ? chanceOf(1) : chanceOf(endpoints.length)',
      ],
    ],
  },
  {
    id: 'no-hairpin',
    why: 'A pod that reaches itself through a service sees its own address, and answers itself directly.',
    origin: 'k#13375',
    law: 'Exact',
    edits: [[`\`-s \${endpoint.ip} -j KUBE-MARK-MASQ\``, `\`-s \${endpoint.ip} -j RETURN\``]],
  },
  {
    id: 'masquerades-local',
    why: 'Traffic from outside is masqueraded even if it stays on this node, and endpoints do not see its source address.',
    origin: 'common',
    law: 'Seen',
    edits: [
      [
        "external('masquerade LOCAL traffic for', '-m addrtype --src-type LOCAL -j KUBE-MARK-MASQ'),",
        "external('masquerade traffic for', '-j KUBE-MARK-MASQ'),",
      ],
    ],
  },
  {
    id: 'policy-for-pods',
    why: 'The policy for traffic from outside is applied to pods, too, which find no endpoint although other nodes have some.',
    origin: 'common',
    law: 'Exact',
    edits: [["...(clusterCIDR === ''\n          ? []", "...(clusterCIDR !== ''\n          ? []"]],
  },
  {
    id: 'waits-instead-of-refusing',
    why: 'A service without endpoints drops packets instead of rejecting them, and clients wait.',
    origin: 'common',
    law: 'Exact',
    edits: [["['REJECT', 'has no endpoints']", "['DROP', 'has no endpoints']"]],
  },
  {
    id: 'flows-stay',
    why: 'UDP flows to a removed endpoint stay.',
    origin: 'k#126532',
    law: 'Streams',
    edits: [['if (!serving || serving.has(flow.answeredBy)) continue;', 'if (serving) continue;']],
  },
  {
    id: 'old-chains-stay',
    why: 'Chains of deleted services and endpoints are never removed.',
    origin: 'common',
    law: 'Tidy',
    edits: [
      [
        'return there.filter((chain) => !used.has(chain));',
        'return there.filter((chain) => used.size < 0 && chain);',
      ],
    ],
  },
  {
    id: 'no-canary',
    why: 'A proxy does not notice that some program has flushed its rules.',
    origin: 'common',
    law: 'Exact',
    edits: [
      [
        'if (!(await this.#iptables.hasCanary())) this.#needsAll = true;',
        'await this.#iptables.hasCanary();',
      ],
    ],
  },
  {
    id: 'jumps-each-time',
    why: 'Each full sync adds the jumps from the kernel’s chains to ours once more.',
    origin: 'common',
    law: 'Tidy',
    edits: [
      [
        `if (await this.#holds(this.#$\`iptables -w -t \${table} -C \${from} \${rule}\`)) return;`,
        `await this.#holds(this.#$\`iptables -w -t \${table} -C \${from} \${rule}\`);`,
      ],
    ],
  },
  {
    id: 'hints-without-all',
    why: 'Close endpoints are preferred even if others have no hint, and those get no traffic.',
    origin: 'common',
    law: 'Exact',
    edits: [
      [
        'ready.every(({ [hint]: names }) => names.length > 0)',
        'ready.some(({ [hint]: names }) => names.length > 0)',
      ],
    ],
  },
  {
    id: 'guards-nothing',
    why: 'The addresses of a load balancer accept all sources, whatever its source ranges are.',
    origin: 'common',
    law: 'Exact',
    edits: [
      [
        'const balanced = usesFirewall ? chains.firewall : chains.external;',
        'const balanced = chains.external;\n  void usesFirewall;',
      ],
    ],
  },
  {
    id: 'updates-are-lost',
    why: 'Update events are ignored: only created and deleted objects are processed.',
    origin: 'k#28674',
    law: 'Exact',
    edits: [['onUpdate: (previous, current) => tell([previous, current]),', 'onUpdate: () => {},']],
  },
];
