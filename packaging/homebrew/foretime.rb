# SPDX-License-Identifier: GPL-3.0-or-later
# Homebrew on Linux: put the tarball next to this file, then brew install --formula ./foretime.rb
class Foretime < Formula
  desc "Predict what a run will cost before you start it"
  homepage "https://foretime.invalid"
  version "0.2.0"
  license "GPL-3.0-or-later"

  # The sums are those of foretime-0.2.0-linux-*.sha256: sha256 "..." behind each url.
  on_intel do
    url "file://#{__dir__}/foretime-0.2.0-linux-x86_64.tar.gz"
  end
  on_arm do
    url "file://#{__dir__}/foretime-0.2.0-linux-aarch64.tar.gz"
  end

  depends_on :linux
  depends_on "gnuplot" => :recommended

  # Its own loader and libraries are inside, and stay together.
  def install
    libexec.install Dir["*"]
    bin.install_symlink libexec/"bin/foretime"
    (1..7).each { |section| (share/"man/man#{section}").install_symlink Dir[libexec/"share/man/man#{section}/*"] }
    bash_completion.install_symlink libexec/"share/bash-completion/completions/foretime"
    zsh_completion.install_symlink libexec/"share/zsh/site-functions/_foretime"
    fish_completion.install_symlink libexec/"share/fish/vendor_completions.d/foretime.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/foretime --version")
  end
end
