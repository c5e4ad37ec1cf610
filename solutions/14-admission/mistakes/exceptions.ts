import type { Mistake } from '#harness/testing';

const exempt = (condition: string): Mistake['edits'] => [
  [
    'if (resource.group === EXEMPT_GROUP) return undefined;',
    `if (resource.group === EXEMPT_GROUP || ${condition}) return undefined;`,
  ],
];
const ending = (condition: string): Mistake['edits'] => [
  [
    "if (operation !== 'CREATE' || status?.phase !== 'Terminating') return object;",
    `if (operation !== 'CREATE' || status?.phase !== 'Terminating' || ${condition}) return object;`,
  ],
];
const called = { origin: 'common', law: 'Called rightly' } as const;
const living = { origin: 'common', law: 'Living namespaces' } as const;

/** Mistakes that except some requests from the rules. */
export const exceptions: readonly Mistake[] = [
  {
    id: 'connects-unchanged',
    why: 'Mutating webhooks are not called when somebody connects to a pod.',
    misconception: 'You seem to believe that admission is only about objects that are stored.',
    ...called,
    edits: [
      [
        '      const reinvocation = new Reinvocation();',
        "      if (attributes.operation === 'CONNECT') return attributes.object;\n      const reinvocation = new Reinvocation();",
      ],
    ],
  },
  {
    id: 'connects-unchecked',
    why: 'A webhook that forbids `kubectl exec` is not called.',
    misconception: 'You seem to believe that admission is only about objects that are stored.',
    ...called,
    edits: [
      [
        '    async validate(attributes) {\n      for (const plugin of plugins) {',
        "    async validate(attributes) {\n      if (attributes.operation === 'CONNECT') return;\n      for (const plugin of plugins) {",
      ],
    ],
  },
  {
    id: 'options-have-no-labels',
    why: 'The options of a connection match a selector for objects without a label.',
    misconception: 'You seem to believe that each object of a request has metadata.',
    ...called,
    edits: [
      [
        'each?.metadata !== undefined && selector.matches(each.metadata.labels);',
        'each !== undefined && selector.matches(each.metadata?.labels);',
      ],
    ],
  },
  {
    id: 'trusts-administrators',
    why: 'No webhook is called for an administrator.',
    misconception: 'You seem to believe that admission asks who sends a request, as authorization does.',
    ...called,
    edits: exempt("attributes.user.groups.includes('system:masters')"),
  },
  {
    id: 'trusts-controllers',
    why: 'No webhook is called for a controller, and so for most pods.',
    misconception: 'You seem to believe that the parts of a cluster need no checks.',
    ...called,
    edits: exempt("attributes.user.name.startsWith('system:serviceaccount:kube-system:')"),
  },
  {
    id: 'trusts-kubelets',
    why: 'No webhook is called for a kubelet.',
    ...called,
    edits: exempt("attributes.user.name.startsWith('system:node:')"),
  },
  {
    id: 'spares-kube-system',
    why: 'No webhook is called for objects in `kube-system`.',
    misconception: 'You seem to believe that the apiserver knows which namespaces are important.',
    ...called,
    edits: exempt("attributes.namespace === 'kube-system'"),
  },
  {
    id: 'spares-small-kinds',
    why: 'No webhook is called for leases and events.',
    misconception: 'You seem to believe that frequent writes are exempt from webhooks.',
    ...called,
    edits: exempt("resource.plural === 'leases' || resource.plural === 'events'"),
  },
  {
    id: 'missing-is-unlabelled',
    why: 'A webhook that selects by labels of a namespace is not called if the namespace does not exist.',
    misconception: 'You seem to believe that a missing namespace is a namespace without labels.',
    ...called,
    edits: [
      [
        'hasOwn ? object?.metadata.labels : await namespaceLabels());',
        "hasOwn ? object?.metadata.labels : await namespaceLabels().catch(() => ({ missing: 'yes' })));",
      ],
    ],
  },
  {
    id: 'labels-for-ever',
    why: 'The labels of a namespace are read once, and their changes are never seen.',
    misconception: 'You seem to believe that the labels of a namespace do not change.',
    ...called,
    edits: [
      [
        'const invocation = await invocationOf(hook, attributes, namespaceLabels(attributes, context));',
        'const invocation = await invocationOf(hook, attributes, rememberedLabels(attributes, context));',
      ],
      [
        'export async function validateByWebhooks(',
        'const remembered = new WeakMap<object, Map<string, Awaited<ReturnType<ReturnType<typeof namespaceLabels>>>>>();\n\nconst rememberedLabels = (attributes: AdmissionAttributes, context: AdmissionContext) => async () => {\n  const known = remembered.get(context) ?? new Map();\n  remembered.set(context, known);\n  const found = known.get(attributes.namespace) ?? (await namespaceLabels(attributes, context)());\n  known.set(attributes.namespace, found);\n  return found;\n};\n\nexport async function validateByWebhooks(',
      ],
    ],
  },
  {
    id: 'one-call-for-a-name',
    why: 'Of two webhooks with one name in two configurations, only the first is called.',
    misconception: 'You seem to believe that the name of a webhook is unique in a cluster.',
    ...called,
    edits: [
      [
        '    if (reinvocation.isSecond && !reinvocation.again.has(hook.uid)) continue;',
        '    if (hooks.slice(0, index).some(({ name }) => name === hook.name)) continue;\n    if (reinvocation.isSecond && !reinvocation.again.has(hook.uid)) continue;',
      ],
    ],
  },
  {
    id: 'one-check-for-a-name',
    why: 'Of two validating webhooks with one name in two configurations, only the first is called.',
    origin: 'common',
    law: 'All asked',
    edits: [
      [
        'if (invocation) calls.push([hook, invocation]);',
        'if (invocation && !calls.some(([{ name }]) => name === hook.name)) calls.push([hook, invocation]);',
      ],
    ],
  },
  {
    id: 'lone-webhook',
    why: 'The container that a single webhook injects gets no token and no limits.',
    misconception: 'You seem to believe that a second run is only for webhooks.',
    origin: 'common',
    law: 'Complete pods',
    edits: [['      reinvocation.needed = true;', '      reinvocation.needed ||= hooks.length > 1;']],
  },
  {
    id: 'first-webhook',
    why: 'The container that the first called webhook injects gets no token and no limits.',
    origin: 'common',
    law: 'Complete pods',
    edits: [
      [
        '  for (const [index, hook] of hooks.entries()) {',
        '  let count = 0;\n  for (const [index, hook] of hooks.entries()) {',
      ],
      ['      reinvocation.needed = true;', '      reinvocation.needed ||= count > 0;'],
      ['    if (patched) current = withObject(', '    count++;\n    if (patched) current = withObject('],
    ],
  },
  {
    id: 'only-if-asked',
    why: 'The plugins run again only if a webhook wants to be called again.',
    misconception: 'You seem to believe that `reinvocationPolicy` is also about plugins.',
    origin: 'common',
    law: 'Complete pods',
    edits: [
      [
        '      reinvocation.needed = true;',
        "      reinvocation.needed ||= hooks.some((each) => each.reinvocationPolicy === 'IfNeeded');",
      ],
    ],
  },
  {
    id: 'again-by-name',
    why: 'A webhook is called again because another one of its name wants it.',
    origin: 'common',
    law: 'Reinvoked once',
    edits: [
      ['!reinvocation.again.has(hook.uid)) continue;', '!reinvocation.again.has(hook.name)) continue;'],
      ['reinvocation.eligible.add(hook.uid);', 'reinvocation.eligible.add(hook.name);'],
    ],
  },
  {
    id: 'mounted-below',
    why: 'A container with a mount below the path of the token gets no token.',
    origin: 'common',
    law: 'Complete pods',
    edits: [
      [
        'if (mounts.some(({ mountPath }) => mountPath === TOKEN_MOUNT_PATH)) return container;',
        'if (mounts.some(({ mountPath }) => mountPath.startsWith(TOKEN_MOUNT_PATH))) return container;',
      ],
    ],
  },
  {
    id: 'restricts-once',
    why: 'A mirror pod of a kubelet gets a ConfigMap by a webhook.',
    misconception: 'You seem to believe that the second run needs only the plugins that change objects.',
    origin: 'common',
    law: 'Own node',
    edits: [
      [
        'if (!plugin.admit || !plugin',
        "if (reinvocation.isSecond && plugin.name === 'NodeRestriction') continue;\n          if (!plugin.admit || !plugin",
      ],
    ],
  },
  {
    id: 'never-disabled',
    why: 'A plugin that the flags of the apiserver disable runs.',
    origin: 'common',
    law: 'Complete pods',
    edits: [['pluginsInOrder(context, {', 'pluginsInOrder({ ...context, disabledPlugins: [] }, {']],
  },
  {
    id: 'controllers-fill-it',
    why: 'A controller creates pods in a namespace that ends, and they keep it from ending.',
    misconception: 'You seem to believe that a controller stops by itself when its namespace ends.',
    ...living,
    edits: ending("attributes.user.name.startsWith('system:')"),
  },
  {
    id: 'subresources-at-the-end',
    why: 'A token is created in a namespace that ends.',
    ...living,
    edits: ending("attributes.subresource !== ''"),
  },
  {
    id: 'events-at-the-end',
    why: 'Events are created in a namespace that ends, and keep it from ending.',
    ...living,
    edits: ending("resource.plural === 'events'"),
  },
  {
    id: 'accounts-at-the-end',
    why: 'The account `default` comes back in a namespace that ends.',
    ...living,
    edits: ending("resource.plural === 'serviceaccounts'"),
  },
  {
    id: 'no-cause',
    why: 'A controller cannot see that it must stop, because the refusal has no cause.',
    ...living,
    edits: [
      [
        'throw namespaceTerminating(attributes);',
        `throw forbidden(attributes, \`unable to create new content in namespace \${namespace} because it is being terminated\`);`,
      ],
    ],
  },
  {
    id: 'trusts-a-cached-namespace',
    why: 'An apiserver that has just deleted a namespace creates an object in it after it has gone.',
    misconception: 'You seem to believe that an error of a read says nothing.',
    ...living,
    edits: [
      [
        'return found && !isSuspect ? found : client.get(namespaces, { name });',
        'return found && !isSuspect ? found : client.get(namespaces, { name }).catch((error) => {\n      if (found) return found;\n      throw error;\n    });',
      ],
    ],
  },
  {
    id: 'first-delete-only',
    why: 'The second delete of a namespace with the same name is forgotten.',
    ...living,
    edits: [
      [
        '        staleUntil.set(name, clock.now() + STALE_MS);',
        '        if (!staleUntil.has(name)) staleUntil.set(name, clock.now() + STALE_MS);',
      ],
    ],
  },
  {
    id: 'waits-for-seconds',
    why: 'A typing error in a namespace costs five seconds.',
    ...living,
    edits: [['export const MISSING_WAIT_MS = 50;', 'export const MISSING_WAIT_MS = 5_000;']],
  },
  {
    id: 'mortal-in-a-dry-run',
    why: 'A dry run says that the namespace `default` can be deleted.',
    misconception: 'You seem to believe that a dry run needs no rules.',
    ...living,
    edits: [
      [
        'if (IMMORTAL_NAMESPACES.includes(name))',
        'if (IMMORTAL_NAMESPACES.includes(name) && !attributes.dryRun)',
      ],
    ],
  },
  {
    id: 'faults-are-free',
    why: 'A pod is stored without a charge while the storage of quotas is out of order.',
    misconception: 'You seem to believe that only a conflict makes a write fail.',
    origin: 'common',
    law: 'Never under-counted',
    edits: [
      [
        '        failed.push(quota.metadata.name);',
        "        if ((error as { status?: { reason?: string } }).status?.reason !== 'Conflict') continue;\n        failed.push(quota.metadata.name);",
      ],
    ],
  },
  {
    id: 'three-tries',
    why: 'The third conflict refuses a request that has room.',
    origin: 'common',
    law: 'Charged once',
    edits: [['export const QUOTA_RETRIES = 3;', 'export const QUOTA_RETRIES = 2;']],
  },
  {
    id: 'never-gives-up',
    why: 'A quota that others write all the time keeps a request busy for ever.',
    origin: 'common',
    law: 'Charged once',
    edits: [['export const QUOTA_RETRIES = 3;', 'export const QUOTA_RETRIES = 1_000;']],
  },
  {
    id: 'counts-everything',
    why: 'A quota counts resources that it does not limit.',
    origin: 'common',
    law: 'Charged once',
    edits: [
      ['withoutZeros(onlyNames(delta, Object.keys(quota.status.hard ?? {})));', 'withoutZeros(delta);'],
    ],
  },
  {
    id: 'writes-anyway',
    why: 'A request that adds nothing to a quota writes it, and meets conflicts.',
    origin: 'common',
    law: 'Charged once',
    edits: [
      [
        'if (Object.keys(charge).length === 0) return quota;',
        'if (Object.keys(charge).length === 0) return { ...quota };',
      ],
    ],
  },
];
