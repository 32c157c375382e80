# SPDX-License-Identifier: GPL-3.0-or-later
import os

from spack.package import *


class Foretime(Package):
    """Predict what a run will cost before you start it."""

    homepage = "https://foretime.invalid"
    url = "file://" + os.path.join(os.path.dirname(__file__), "foretime-0.2.0-linux-x86_64.tar.gz")

    license("GPL-3.0-or-later")

    # the sum of foretime-0.2.0-linux-x86_64.sha256: version("0.2.0", sha256="...")
    version("0.2.0", sha256=os.environ.get("FORETIME_SHA256", ""))

    variant("plots", default=True, description="plots as files")
    depends_on("gnuplot", type="run", when="+plots")

    conflicts("platform=darwin", msg="foretime reads /proc and /sys of Linux")
    conflicts("platform=windows", msg="foretime reads /proc and /sys of Linux")

    def install(self, spec, prefix):
        install_tree(".", prefix)

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_version(self):
        Executable(self.prefix.bin.foretime)("--version")
