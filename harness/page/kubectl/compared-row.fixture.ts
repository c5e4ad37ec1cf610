import type { Row } from './twins.fixture.ts';

/** A difference between kubectl's versions. */
interface Change {
  readonly why: string;
  /** Returns the text of an older kubectl. */
  readonly older: (text: string) => string;
}

/** A row, with the reason if both may not print the same. */
export interface ComparedRow extends Row {
  /** Changes after kubectl 1.32, which the kubectl on this machine may not have. */
  readonly changes?: readonly Change[];
  /** Why the texts differ. Then they must differ. */
  readonly differs?: string;
}

export const NAMESPACE_OF_DELETED: Change = {
  why: 'kubectl 1.36 names the namespace of a deleted object, 1.32 does not.',
  older: (text) => text.replace(/ from \S+ namespace$/gm, ''),
};
export const FIELD_OF_EVENT: Change = {
  why: 'kubectl 1.36 describes the container of an Event, 1.32 does not.',
  older: (text) => text.replaceAll(/spec\.containers\{[^}]*\}: /g, ''),
};
export const NAME_OF_PORT: Change = {
  why: 'kubectl 1.36 describes the name of a port, 1.32 does not.',
  older: (text) => text.replaceAll(/(\d+\/(?:TCP|UDP)) \([a-z-]+\)/g, '$1'),
};
export const PROXY_VERSION: Change = {
  why: 'kubectl 1.32 describes the version of kube-proxy, which nodes no longer report.',
  older: (text) => text.replaceAll(/^( *Kubelet Version: .*)$/gm, '$1\n  Kube-Proxy Version:'),
};
export const OPTIONAL: Change = {
  why: 'kubectl 1.36 describes whether a projected ConfigMap is optional, 1.32 prints a pointer.',
  older: (text) =>
    text.replaceAll(/^( *ConfigMapName: .*\n *)Optional: {2}false$/gm, '$1ConfigMapOptional:  <nil>'),
};
export const NO_CREATION: Change = {
  why: 'kubectl 1.32 prints null for the time of an object that does not exist yet.',
  older: (text) => text.replaceAll(/^( *)metadata:(?: \{\})?$/gm, '$1metadata:\n$1  creationTimestamp: null'),
};

export const UNCHANGED: Change = {
  why: 'kubectl 1.36 computes the patch of a client dry run: it warns, and knows that nothing changes. 1.32 does not.',
  older: (text) =>
    text
      .replaceAll(' unchanged (dry run)', ' configured (dry run)')
      .replace(/^Warning: resource .* is missing the kubectl.kubernetes.io.*\n/gm, ''),
};
export const CONTAINERS: Change = {
  why: 'kubectl 1.36 lists the containers that logs takes, 1.32 does not.',
  older: (text) => text.replace(/ out of: .*/, ''),
};

export const EXEC_CONTAINER: Change = {
  why: 'kubectl 1.36 checks the container of exec, 1.32 lets the server check it.',
  older: (text) => text.replace(/^error: (container .*) out of: .*/m, 'Error from server (BadRequest): $1'),
};

/** Names end with random letters, and each further request of kubectl is another revision. */
export const names = (text: string): string =>
  text
    .replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '-xxxxx')
    .replace(/(resourceVersion: |uid: |"resourceVersion": |"uid": )\S+/g, '$1…');

/** describe and events compute ages with the clock of the machine. */
const ages = (text: string): string =>
  names(text)
    .replace(/\b\d+[smhd](\d+[smhd])?\b/g, 'AGE')
    .replace(/(\S) {2,}/g, '$1  ')
    .replace(/ +$/gm, '');

/** The scheduler chooses at random between equal nodes. */
export const placeless = (text: string): string =>
  ages(text)
    .replace(/node-\d\b/g, 'node-N')
    .replace(/\b(10\.244|192\.168)\.\d+\.\d+/g, '$1.N.N')
    .replace(/containerd:\/\/[0-9a-f]+/g, 'containerd://…')
    .replace(/ in \d+ms \(\d+ms including waiting\)/g, ' in … (… including waiting)')
    .replace(/ in [\d.]+m?s \([\d.]+m?s including waiting\)/g, ' in … (… including waiting)');

/** The back-off of a container begins at another time. */
export const timeless = (text: string): string =>
  placeless(text)
    .replace(/\d\d:\d\d:\d\d/g, 'TIME')
    .replace(/\([0-9a-f-]{36}\)/g, '(UID)');

/** Rows of objects with random names have no order. */
export const unordered = (text: string): string => names(text).split('\n').sort().join('\n');

/** The log of a Go program has the time of the machine. */
export const unlogged = (text: string): string => names(text).replace(/^[IWE]\d{4} [\d:.]+ .*\n/gm, '');

export const WATCH = 'watch=';

export const row = (line: string, more: Omit<ComparedRow, 'line'> = {}): ComparedRow => ({
  line,
  normalise: names,
  ...more,
});
export const described = (
  line: string,
  changes: readonly Change[] = [],
  more: Omit<ComparedRow, 'line'> = {},
): ComparedRow => row(line, { normalise: ages, changes, ...more });
export const waiting = (line: string, more: Omit<ComparedRow, 'line'> = {}): ComparedRow =>
  row(line, { waits: WATCH, ...more });
export const deleting = (line: string): ComparedRow => waiting(line, { changes: [NAMESPACE_OF_DELETED] });

export const misused = (line: string): ComparedRow =>
  row(line, { differs: 'A wrong use of a command is answered in one sentence, with the nearest right one.' });
