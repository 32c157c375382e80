/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ping_pong.c - how long messages take between two processes of MPI, as a table: bytes,seconds, one way.
 *
 *	mpicc -O2 -o ping_pong ping_pong.c
 *	mpiexec -n 2 -hosts here,there ./ping_pong > mpi.csv
 *	foretime machine link there --replay mpi.csv -o links.csv
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 1 << 24, ROUNDS = 9 };

static double bounce(char *bytes, int n, int rank, int times)
{
	double began = MPI_Wtime();

	for (int i = 0; i < 2 * times; i++)
		if (i % 2 == rank)
			MPI_Send(bytes, n, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
		else
			MPI_Recv(bytes, n, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return (MPI_Wtime() - began) / (2 * times);
}

int main(int argc, char **argv)
{
	char *bytes = calloc(LARGEST, 1);
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (!bytes || size != 2) {
		if (!rank)
			fprintf(stderr, "ping_pong: two processes, and %d bytes for each\n", LARGEST);
		MPI_Finalize();
		return 1;
	}
	if (!rank)
		printf("bytes,seconds\n");
	(void)bounce(bytes, LARGEST, rank, 1);
	for (int round = 0; round < ROUNDS; round++)
		for (int n = 1; n <= LARGEST; n *= 8) {
			double seconds = bounce(bytes, n, rank, n < 4096 ? 100 : 1);

			if (!rank)
				printf("%d,%.9g\n", n, seconds);
		}
	free(bytes);
	MPI_Finalize();
	return 0;
}
