import { failureIn } from './failure/failure-in.ts';
import { readSettings } from './settings.ts';
import { showCluster } from './show-cluster.tsx';

/** The page: a cluster; or, at `#failure=23`, a failing law. */
const settings = readSettings(localStorage);
document.documentElement.dataset.theme = settings.theme;

const root = document.getElementById('page');
const kata = failureIn(location.hash);
if (root && kata === undefined) showCluster(root, settings);
if (root && kata !== undefined) {
  const { showFailure } = await import('./failure/show-failure.tsx');
  showFailure(root, kata);
}

// Another address may name a failure, or the cluster again.
addEventListener('hashchange', () => failureIn(location.hash) !== kata && location.reload());
