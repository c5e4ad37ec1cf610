import './levels/1-ended.test.ts';
import './levels/2-backoff.test.ts';
import './levels/3-indexes.test.ts';
import './levels/4-how-many.test.ts';
import './levels/5-end.test.ts';
import './levels/6-tracking.test.ts';
import './levels/6-release.test.ts';
import './levels/7-acting.test.ts';
