import type { Mistake } from '#harness/testing';

/** Mistakes of the chain, of namespaces and of the completion of pods. */
export const plugins: readonly Mistake[] = [
  {
    id: 'changed-is-checked',
    why: 'A plugin that changes objects never checks them, so a pod above its LimitRange is stored.',
    misconception: 'You seem to believe that a plugin has only one phase.',
    origin: 'common',
    law: 'Within limits',
    edits: [
      [
        'if (plugin.operations.includes(attributes.operation)) await plugin.validate?.(attributes);',
        'if (!plugin.admit && plugin.operations.includes(attributes.operation)) await plugin.validate?.(attributes);',
      ],
    ],
  },
  {
    id: 'token-each-time',
    why: 'A pod gets another token each time that the plugins run.',
    misconception: 'You seem to believe that a plugin runs once for each request.',
    origin: 'common',
    law: 'Idempotent',
    edits: [
      [
        'const existing = volumes.find(({ name }) => name.startsWith(TOKEN_VOLUME_PREFIX));',
        'const existing = volumes.find(({ name }) => name === newVolume && name !== TOKEN_VOLUME_PREFIX);',
      ],
      [
        'if (mounts.some(({ mountPath }) => mountPath === TOKEN_MOUNT_PATH)) return container;',
        'if (mounts.some((mount) => mount.name === name)) return container;',
      ],
    ],
  },
  {
    id: 'never-again',
    why: 'A sidecar that a webhook adds gets no token and no limits, because the plugins do not run again.',
    misconception: 'You seem to believe that the plugins have done their work before the webhooks.',
    origin: 'kubernetes/kubernetes#76943',
    law: 'Reinvoked once',
    edits: [['if (reinvocation.needed) {', 'if (reinvocation.isSecond) {']],
  },
  {
    id: 'again-and-again',
    why: 'Webhooks that add to the object are called a third time.',
    misconception: 'You seem to believe that webhooks agree in the end.',
    origin: 'common',
    law: 'Reinvoked once',
    edits: [
      [
        `        reinvocation.isSecond = true;
        await run();`,
        `        reinvocation.isSecond = true;
        await run();
        await run();`,
      ],
    ],
  },
  {
    id: 'quota-first',
    why: 'A quota counts pods that a webhook then refuses.',
    misconception:
      'You seem to believe that the order of the checks does not matter, because all of them must agree.',
    origin: 'common',
    law: 'No trace',
    edits: [
      [
        'for (const plugin of plugins) {\n        if',
        'for (const plugin of [...plugins].reverse()) {\n        if',
      ],
    ],
  },
  {
    id: 'changes-lost',
    why: 'Each plugin starts from the object of the request, so only the last change stays.',
    origin: 'common',
    law: 'Complete pods',
    edits: [['await plugin.admit(current, reinvocation)', 'await plugin.admit(attributes, reinvocation)']],
  },
  {
    id: 'mortal',
    why: 'Somebody deletes the namespace default.',
    origin: 'common',
    law: 'Living namespaces',
    edits: [['IMMORTAL_NAMESPACES.includes(name)', "IMMORTAL_NAMESPACES.includes('')"]],
  },
  {
    id: 'no-update-at-the-end',
    why: 'Finalizers in a namespace that ends cannot be removed, so it never ends.',
    misconception: 'You seem to believe that nothing may change in a namespace that ends.',
    origin: 'common',
    law: 'Admits',
    edits: [
      [
        "if (operation !== 'CREATE' || status?.phase !== 'Terminating') return object;",
        "if (status?.phase !== 'Terminating') return object;",
      ],
    ],
  },
  {
    id: 'content-at-the-end',
    why: 'Objects appear in a namespace while its controller deletes everything in it.',
    misconception: 'You seem to believe that a namespace is there as long as it can be read.',
    origin: 'common',
    law: 'Living namespaces',
    edits: [
      [
        "operation !== 'CREATE' || status?.phase !== 'Terminating'",
        "operation !== 'CREATE' || status?.phase !== 'Terminated'",
      ],
    ],
  },
  {
    id: 'trusts-the-cache',
    why: 'A namespace that was just created does not exist for an apiserver whose cache is behind.',
    misconception: 'You seem to trust your cache when it does not have something.',
    origin: 'kubernetes/kubernetes#24494',
    law: 'Living namespaces',
    edits: [
      [
        'return found && !isSuspect ? found : client.get(namespaces, { name });',
        'return found ?? (isSuspect ? client.get(namespaces, { name }) : Promise.reject(errors.notFound(namespaces, name)));',
      ],
      [
        "import { type Namespace, namespaces } from '#harness';",
        "import { errors, namespaces } from '#harness';",
      ],
    ],
  },
  {
    id: 'forgets-its-delete',
    why: 'The apiserver accepts content right after it deleted the namespace, because its cache has not seen the delete.',
    misconception: 'You seem to trust your cache right after your own write.',
    origin: 'kubernetes/kubernetes#21690',
    law: 'Living namespaces',
    edits: [['staleUntil.set(name, clock.now() + STALE_MS);', 'staleUntil.delete(name);']],
  },
  {
    id: 'remembers-three-seconds',
    why: 'A cache can be behind for longer.',
    misconception: 'You seem to believe that a cache is behind for a moment only.',
    origin: 'common',
    law: 'Living namespaces',
    edits: [['const STALE_MS = 30_000;', 'const STALE_MS = 3_000;']],
  },
  {
    id: 'forbids-the-missing',
    why: 'A missing namespace is a 403 instead of a 404.',
    origin: 'common',
    law: 'Living namespaces',
    edits: [
      [
        'return found && !isSuspect ? found : client.get(namespaces, { name });',
        'return found && !isSuspect ? found : client.get(namespaces, { name }).catch(() => ({ status: { phase: "Terminating" } }) as Namespace);',
      ],
    ],
  },
  {
    id: 'tolerates-by-key',
    why: 'A toleration of NoSchedule counts as one of NoExecute, so the pod leaves a lost node at once.',
    misconception: 'You seem to believe that the key of a toleration says which effects it tolerates.',
    origin: 'common',
    law: 'Complete pods',
    edits: [["(!effect || effect === 'NoExecute')", "(!effect || effect !== '')"]],
  },
  {
    id: 'tolerates-everything-not',
    why: 'A toleration of everything gets two more.',
    misconception: 'You seem to believe that a toleration always has a key.',
    origin: 'common',
    law: 'Complete pods',
    edits: [['(!key || key === fault)', 'key === fault']],
  },
  {
    id: 'only-default-tolerations',
    why: 'The tolerations of the user are replaced.',
    misconception: 'You seem to believe that a pod comes without tolerations.',
    origin: 'common',
    law: 'Keeps values',
    edits: [['tolerations: [...given, ...added]', 'tolerations: added']],
  },
  {
    id: 'highest-default',
    why: 'Of two default classes the highest is taken, and its pods evict others.',
    misconception: 'You seem to believe that the greatest priority is the safest.',
    origin: 'common',
    law: 'Complete pods',
    edits: [['.sort((a, b) => a.value - b.value)', '.sort((a, b) => b.value - a.value)']],
  },
  {
    id: 'anonymous-class',
    why: 'The pod has the priority of the default class, but not its name, so no quota of the class counts it.',
    misconception: 'You seem to believe that a class is only its value.',
    origin: 'common',
    law: 'Complete pods',
    edits: [['return { className: found.metadata.name, value: found.value,', 'return { value: found.value,']],
  },
  {
    id: 'missing-class-is-zero',
    why: 'A misspelt class becomes priority 0.',
    misconception: 'You seem to believe that a name without an object means the same as no name.',
    origin: 'common',
    law: 'Complete pods',
    edits: [[`  if (name) throw new Refusal(\`no PriorityClass with name \${name} was found\`);\n`, '']],
  },
  {
    id: 'second-token',
    why: 'A pod with a token volume gets a second one.',
    misconception: 'You seem to believe that a pod has no token before you add one.',
    origin: 'common',
    law: 'Complete pods',
    edits: [
      [
        'const existing = volumes.find(({ name }) => name.startsWith(TOKEN_VOLUME_PREFIX));',
        'const existing = volumes.find(({ name }) => name === TOKEN_VOLUME_PREFIX);',
      ],
    ],
  },
  {
    id: 'mounts-over',
    why: 'The token is mounted over the volume that the user has mounted there.',
    misconception: 'You seem to believe that the path of the token is always free.',
    origin: 'common',
    law: 'Complete pods',
    edits: [
      [
        'if (mounts.some(({ mountPath }) => mountPath === TOKEN_MOUNT_PATH)) return container;',
        'if (mounts.some(({ name: own }) => own === name)) return container;',
      ],
    ],
  },
  {
    id: 'init-without-token',
    why: 'Init containers cannot talk to the apiserver.',
    misconception: 'You seem to believe that only the containers of a pod talk to the apiserver.',
    origin: 'common',
    law: 'Complete pods',
    edits: [
      [
        '    ...(initContainers && { initContainers: initContainers.map(mounted) }),\n',
        '    ...(initContainers && { initContainers }),\n',
      ],
    ],
  },
  {
    id: 'account-wins',
    why: 'A pod without a token cannot exist in an account with one.',
    misconception: 'You seem to believe that the account decides for all of its pods.',
    origin: 'common',
    law: 'Complete pods',
    edits: [
      [
        'if (!(wanted ?? account.automountServiceAccountToken ?? true)) return pod;',
        'if (!(account.automountServiceAccountToken ?? wanted ?? true)) return pod;',
      ],
    ],
  },
  {
    id: 'unused-token',
    why: 'A volume with a token that no container mounts.',
    origin: 'common',
    law: 'Complete pods',
    edits: [['if (!isMounted) return pod;', 'if (!isMounted && existing) return pod;']],
  },
  {
    id: 'defaults-win',
    why: 'A default of a LimitRange overwrites the value of the user.',
    misconception: 'You seem to believe that a default is a rule.',
    origin: 'common',
    law: 'Keeps values',
    edits: [['limits = { ...item.default, ...limits };', 'limits = { ...limits, ...item.default };']],
  },
  {
    id: 'all-or-nothing',
    why: 'A container with one value gets no other default.',
    misconception: 'You seem to believe that a container sets all of its resources or none.',
    origin: 'common',
    law: 'Complete pods',
    edits: [
      [
        'limits = { ...item.default, ...limits };',
        'limits = Object.keys(limits).length > 0 ? limits : { ...item.default };',
      ],
    ],
  },
  {
    id: 'defaults-of-any-type',
    why: 'A container gets the defaults of a LimitRange for claims.',
    misconception: 'You seem to believe that every item of a LimitRange is about containers.',
    origin: 'common',
    law: 'Complete pods',
    edits: [["    if (item.type !== 'Container') continue;\n", '']],
  },
  {
    id: 'request-is-limit',
    why: 'The default request is ignored.',
    misconception: 'You seem to believe that a LimitRange has one default for limits and requests.',
    origin: 'common',
    law: 'Complete pods',
    edits: [
      ['requests = { ...item.defaultRequest, ...requests };', 'requests = { ...item.default, ...requests };'],
    ],
  },
];
