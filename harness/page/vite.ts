import path from 'node:path';
import { defaultClientConditions, type InlineConfig, type LogLevel, type Plugin } from 'vite';
import { failures } from './failure/vite-plugin.ts';
import { ownFiles } from './own/vite-plugin.ts';

/** The workbook's folder. */
const root = path.resolve(import.meta.dirname, '../..');

/** Options of the page's build and of its development server. */
interface ConfigOptions {
  /** The folder of the static site, as an absolute path. Only a build needs it. */
  readonly outDir?: string;
  readonly logLevel: LogLevel;
  /** The folder of the learner's files. @defaultValue the workbook of this page */
  readonly workbook?: string;
}

/** Returns the configuration of Vite for the page: Preact, and the whole cluster in a module worker. */
export function pageConfig({ outDir, logLevel, workbook = root }: ConfigOptions): InlineConfig {
  return {
    configFile: false,
    logLevel,
    root: import.meta.dirname,
    // The site works in any folder of a server.
    base: './',
    cacheDir: path.join(root, 'node_modules/.cache/kubernetes-katas/vite'),
    resolve: { conditions: ['solution', ...defaultClientConditions] },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [provideBuffer(), ownFiles(workbook), failures(workbook)],
    worker: { format: 'es', plugins: () => [provideBuffer()] },
    // A dependency that Vite finds later would reload the page.
    optimizeDeps: { entries: ['index.html', 'worker.ts'] },
    server: { host: '127.0.0.1', fs: { allow: [...new Set([root, workbook])] } },
    preview: { host: '127.0.0.1' },
    build: {
      target: 'es2022',
      ...(outDir !== undefined && { outDir }),
      emptyOutDir: true,
      // npm run page -- --build prints the sizes, also those of the worker.
      reportCompressedSize: false,
      rolldownOptions: {
        output: {
          codeSplitting: { groups: [{ name: 'editor', test: /node_modules\/(@?codemirror|@lezer)\// }] },
        },
      },
    },
  };
}

/** Imports the class `Buffer` into each file of the workbook that uses it. A browser does not have it. */
function provideBuffer(): Plugin {
  const polyfill = path.join(import.meta.dirname, 'buffer.ts');
  return {
    name: 'provide-buffer',
    enforce: 'pre',
    transform: {
      filter: { id: /\/(harness|solutions)\/[^?]*\.tsx?(\?|$)/, code: /\bBuffer\b/ },
      handler(code, id) {
        if (id.startsWith(polyfill)) return undefined;
        // On the first line, so that no other line moves.
        return { code: `import { Buffer } from ${JSON.stringify(polyfill)}; ${code}`, map: null };
      },
    },
  };
}
