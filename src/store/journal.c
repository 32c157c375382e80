/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal.c - which journal: WAL keeps an index in memory shared by its users, which network file systems do
 * not share. */
#include "store/store.h"

#include <string.h>
#include <sys/vfs.h>

/* Numbers of statfs(2): <linux/magic.h>, and the sources of those that live outside the kernel. FUSE may be
 * local (and then only loses some speed), but sshfs, GlusterFS and the like are not. */
static const uint32_t network[] = {
	0x00006969, /* NFS */
	0x0000517b, /* SMB */
	0xff534d42, /* CIFS */
	0xfe534d42, /* SMB 2 */
	0x0bd00bd0, /* Lustre */
	0x47504653, /* GPFS, Spectrum Scale */
	0x19830326, /* BeeGFS */
	0x5346414f, /* AFS, OpenAFS */
	0x6b414653, /* AFS of the kernel */
	0x01021997, /* 9p */
	0x65735546, /* FUSE */
	0x00c36400, /* Ceph */
	0x73757245, /* Coda */
	0x0000564c, /* NCP */
	0x7461636f, /* OCFS2 */
	0x01161970, /* GFS2 */
	0x20030528, /* OrangeFS, PVFS2 */
	0x786f4256, /* shared folders of VirtualBox */
	0xaad7aaea, /* Panasas */
};

bool ft__is_network(long type)
{
	for (size_t i = 0; i < sizeof network / sizeof *network; i++)
		if ((uint32_t)type == network[i])
			return true;
	return false;
}

enum ft_status ft__leave_wal(struct ft_store *store, struct ft_err *err)
{
	int rc = ft__pragma(store, "PRAGMA locking_mode = EXCLUSIVE", NULL);

	if (rc == SQLITE_OK)
		rc = ft__pragma(store, "PRAGMA journal_mode = DELETE", NULL);
	if (rc == SQLITE_OK) /* the lock goes with the next read */
		rc = ft__pragma(store, "PRAGMA locking_mode = NORMAL", NULL);
	return rc == SQLITE_OK ? FT_OK : ft__sql_fail(store, rc, err);
}

static int read_mode(struct ft_store *store, const char *sql)
{
	sqlite3_stmt *stmt;
	int rc = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL);

	if (rc != SQLITE_OK)
		return rc;
	if (sqlite3_step(stmt) == SQLITE_ROW) {
		const void *mode = sqlite3_column_text(stmt, 0);

		store->wal = mode && !strcmp(mode, "wal");
	}
	return sqlite3_finalize(stmt);
}

/* Under WAL a commit that no fsync follows is still in the file when the process is killed, and the file is
 * never damaged: only a power failure may take the last runs. A rollback journal must be on the disk before
 * the file is changed. */
enum ft_status ft__settle_journal(struct ft_store *store, bool rollback, struct ft_err *err)
{
	int rc = read_mode(store, rollback ? "PRAGMA journal_mode" : "PRAGMA journal_mode = WAL");

	if ((rc & 0xff) == SQLITE_BUSY) /* somebody works with a rollback journal: so do we */
		rc = read_mode(store, "PRAGMA journal_mode");
	if (rc == SQLITE_OK)
		rc = ft__pragma(store,
				store->wal ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL",
				NULL);
	if (rc == SQLITE_OK) /* the first read opens the WAL: from then on nobody can leave it under us */
		rc = ft__pragma(store, "PRAGMA user_version", NULL);
	return rc == SQLITE_OK ? FT_OK : ft__sql_fail(store, rc, err);
}
