import type { Mistake } from '#harness/testing';

/** The laws alone kill each mistake. */
export const lawsSuffice = true;

/**
 * Wrong controllers, each made by one or two edits of the reference. `k#` is an issue or pull request of
 * kubernetes/kubernetes.
 */
export const mistakes: readonly Mistake[] = [
  {
    id: 'the-cache-decides',
    why: 'A Secret is deleted because the cache lacks its new account.',
    origin: 'k#111556',
    law: 'Spared',
    edits: [
      [
        'const stored = await this.#storedAccount(namespace, account, accountUID);\n    if (stored)',
        'const stored = known;\n    if (stored)',
      ],
    ],
  },
  {
    id: 'by-name',
    why: 'The uid of an account does not count: a Secret of an earlier account gets a token of its successor.',
    origin: 'k#132802',
    law: 'Its own',
    edits: [["uid === '' || metadata.uid === uid;", "uid === '' || metadata.name !== uid;"]],
  },
  {
    id: 'all-of-the-name',
    why: 'A deleted account takes the Secrets of the next account of its name with it.',
    origin: 'common',
    law: 'Spared',
    edits: [
      [
        'if (token?.account !== name || token.accountUID !== uid) continue;',
        'if (token?.account !== name) continue;',
      ],
    ],
  },
  {
    id: 'any-secret-of-the-name',
    why: 'The deletion names no uid, so it hits a Secret that was created again under the name.',
    origin: 'istio/istio#35149',
    law: 'Spared',
    edits: [
      ['{ preconditions: { uid }, signal }', '{ ...(uid === "" && { preconditions: { uid } }), signal }'],
    ],
  },
  {
    id: 'follows-secrets-only',
    why: 'The deletion of an account is not noticed, so its tokens stay.',
    origin: 'common',
    law: 'Completes',
    edits: [['      onDelete: (last) => enqueueAccount(lastKnown(last)),\n', '']],
  },
  {
    id: 'only-the-token',
    why: 'A Secret with a token counts as filled: an old certificate stays in it.',
    origin: 'common',
    law: 'Completes',
    edits: [
      [
        'return Object.keys(missing).length > 0 ? missing : undefined;',
        'return LEGACY.token in missing ? missing : undefined;',
      ],
    ],
  },
  {
    id: 'always-a-new-token',
    why: 'Each repair of a Secret replaces its token, and clients with the old one are logged out.',
    origin: 'k#24928',
    law: 'Kept',
    edits: [
      [
        '  return Object.keys(missing).length > 0 ? missing : undefined;',
        '  return Object.keys(missing).length > 0\n    ? { ...missing, [LEGACY.token]: btoa(tokenFor(name, account, keys)) }\n    : undefined;',
      ],
    ],
  },
  {
    id: 'replaces-the-data',
    why: 'The other data of a Secret are lost.',
    origin: 'common',
    law: 'Kept',
    edits: [['data: { ...secret.data, ...data } };', 'data };']],
  },
  {
    id: 'not-encoded',
    why: 'The certificate is stored without base64, so the Secret never looks right, or is rejected.',
    origin: 'common',
    law: 'Completes',
    edits: [
      [
        "...(data['ca.crt'] !== authority && { 'ca.crt': authority }),",
        "...(data['ca.crt'] !== authority && { 'ca.crt': btoa(authority) }),",
      ],
    ],
  },
  {
    id: 'uid-of-the-secret',
    why: 'The claims name the wrong uid, so the apiserver rejects the token.',
    origin: 'gardener/gardener#13630',
    law: 'Its own',
    edits: [
      [
        "'kubernetes.io/serviceaccount/service-account.uid': uid,",
        "'kubernetes.io/serviceaccount/service-account.uid': secret || uid,",
      ],
    ],
  },
  {
    id: 'without-the-uid',
    why: 'The Secret does not name the uid of its account, so it is not deleted with the account.',
    origin: 'k#132802',
    law: 'Completes',
    edits: [[', [LEGACY.accountUID]: uid };', ', ...(uid === name && { [LEGACY.accountUID]: uid }) };']],
  },
  {
    id: 'gives-up-at-once',
    why: 'A failed write is not tried again.',
    origin: 'common',
    law: 'Completes',
    edits: [['const RETRIES_MAX = 10;', 'const RETRIES_MAX = 0;']],
  },
  {
    id: 'forgets-references',
    why: 'The list of an account loses the names of other Secrets.',
    origin: 'k#106131',
    law: 'Kept',
    edits: [
      [
        'stored?.secrets?.filter((each) => each.name !== name);',
        'stored?.secrets?.filter((each) => each.name === name);',
      ],
    ],
  },
  {
    id: 'old-namespaces-only',
    why: 'The publisher does not notice new namespaces.',
    origin: 'k#71005',
    law: 'Completes',
    edits: [
      [
        "    onUpdate: (_old, namespace) => {\n      if (namespace.status.phase === 'Active') enqueue(namespace);\n    },",
        '    onUpdate: (_old, { status }) => void status,',
      ],
      [
        '    onAdd: enqueue,\n',
        '    onAdd: (namespace) => {\n      if (context.clock.now() - Date.parse(namespace.metadata.creationTimestamp) > 400) enqueue(namespace);\n    },\n',
      ],
    ],
  },
  {
    id: 'never-repairs',
    why: 'An edited certificate stays in its namespace, and pods trust another authority.',
    origin: 'openshift/cluster-cloud-controller-manager-operator#702',
    law: 'Completes',
    edits: [['    onUpdate: (_old, configMap) => enqueueOf(configMap),\n', '']],
  },
  {
    id: 'loses-annotations',
    why: 'The repair of a certificate removes the annotations of others.',
    origin: 'common',
    law: 'Kept',
    edits: [
      [
        'const annotations = { ...metadata.annotations, [DESCRIPTION]: USAGE };\n  return',
        'const annotations = { [DESCRIPTION]: USAGE };\n  return',
      ],
    ],
  },
  {
    id: 'without-white-space',
    why: 'The certificate is compared without its last line break, so an edit of it stays.',
    origin: 'common',
    law: 'Completes',
    edits: [
      [
        'return deepEqual(found, data) &&',
        "const text = (each: Data = {}): string => JSON.stringify(each).replaceAll('\\\\n', '');\n  return text(found) === text(data) &&",
      ],
    ],
  },
  {
    id: 'retries-a-gone-namespace',
    why: 'The publisher tries again for ever in a namespace that is gone.',
    origin: 'k#96274',
    law: 'Gives up',
    edits: [
      [
        'if (!isNotFound(error) && !isNamespaceTerminating(error)) throw error;',
        'if (!isNamespaceTerminating(error)) throw error;',
      ],
    ],
  },
  {
    id: 'retries-an-ending-namespace',
    why: 'The controller tries again in a namespace that terminates, and logs an error each time.',
    origin: 'k#114849',
    law: 'Gives up',
    edits: [
      [
        'if (!isAlreadyExists(error) && !isNamespaceTerminating(error)) throw error;',
        'if (!isAlreadyExists(error)) throw error;',
      ],
    ],
  },
  {
    id: 'swallows-errors',
    why: 'An account that could not be created is not tried again, and every pod of the namespace is rejected.',
    origin: 'k#66689',
    law: 'Completes',
    edits: [
      [
        'if (!isAlreadyExists(error) && !isNamespaceTerminating(error)) throw error;',
        'context.log(String([error, isAlreadyExists, isNamespaceTerminating].length));',
      ],
    ],
  },
  {
    id: 'created-once',
    why: 'A deleted account is not created again.',
    origin: 'common',
    law: 'Completes',
    edits: [
      [
        "    onDelete: (last) => queue.add(lastKnown(last).metadata.namespace ?? ''),\n",
        '    onDelete: (last) => context.log(lastKnown(last).metadata.name),\n',
      ],
    ],
  },
  {
    id: 'annotates-each-pass',
    why: 'The description is written whenever it differs from the own words, against the words of a user.',
    origin: 'common',
    law: 'Quiet',
    edits: [
      [
        '&& Boolean(metadata.annotations?.[DESCRIPTION]);',
        '&& metadata.annotations?.[DESCRIPTION] === USAGE.trimStart().slice(1);',
      ],
    ],
  },
  {
    id: 'makes-secrets',
    why: 'Each service account gets a Secret with a token that nobody asked for.',
    origin: 'k#106131',
    law: 'Modest',
    edits: [
      [
        '    if (this.#cachedAccount(namespace, name, uid)) return;\n',
        "    if (this.#cachedAccount(namespace, name, uid)) {\n      const annotations = { 'kubernetes.io/service-account.name': name };\n      const metadata = { namespace, name: [name, 'token'].join('-'), annotations };\n      const { client } = this.#context;\n      await client\n        .create(secrets, { metadata, type: 'kubernetes.io/service-account-token' })\n        .catch(() => {});\n      return;\n    }\n",
      ],
    ],
  },
];
