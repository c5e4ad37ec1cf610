// One file a level, in teaching order.
import './levels/1-range.test.ts';
import './levels/2-next.test.ts';
import './levels/3-store.test.ts';
import './levels/4-release.test.ts';
import './levels/5-add.test.ts';
import './levels/6-gc.test.ts';
import './levels/7-requested.test.ts';
import './levels/8-status.test.ts';
